import type { IncomingMessage } from "node:http";
import { describe, expect, test } from "vitest";
import { ClientAddresses, groupOf, plainAddress, type ProxyTrust } from "./client-address.ts";

/** A request from `remote` with these headers, which is all that is looked at. */
function from(remote: string, headers: Record<string, string> = {}): IncomingMessage {
  return { socket: { remoteAddress: remote }, headers } as unknown as IncomingMessage;
}
const group = (trust: ProxyTrust, remote: string, forwarded: string) =>
  new ClientAddresses(trust).of(from(remote, { "x-forwarded-for": forwarded })).group;

describe("the client's address is the one that the nearest trusted proxy added", () => {
  test.each<[string, ProxyTrust, string, string, string]>([
    ["one hop", 1, "10.0.0.1", "203.0.113.9", "203.0.113.9"],
    ["a forged loopback first", 1, "10.0.0.1", "127.0.0.1, 203.0.113.9", "203.0.113.9"],
    ["a counting first address", 1, "10.0.0.1", "9.9.9.8, 203.0.113.9", "203.0.113.9"],
    ["two hops", 2, "10.0.0.1", "1.1.1.1, 203.0.113.9, 10.0.0.2", "203.0.113.9"],
    ["more hops than addresses", 9, "10.0.0.1", "203.0.113.9", "203.0.113.9"],
    ["no trust", 0, "10.0.0.1", "203.0.113.9", "10.0.0.1"],
    ["a list", ["10.0.0.0/8"], "10.0.0.1", "1.1.1.1, 203.0.113.9, 10.2.3.4", "203.0.113.9"],
    ["a list without the sender", ["10.0.0.0/8"], "192.0.2.1", "1.1.1.1", "192.0.2.1"],
    ["an IPv6 proxy in a list", ["fd00::/8"], "fd00::1", "203.0.113.9", "203.0.113.9"],
    ["a mapped proxy in a list", ["10.0.0.0/8"], "::ffff:10.0.0.1", "203.0.113.9", "203.0.113.9"],
    ["no address", 1, "10.0.0.1", "unknown", "10.0.0.1"],
    ["an address with its port", 1, "10.0.0.1", "203.0.113.9:4711", "203.0.113.9"],
    ["an IPv6 address with its port", 1, "10.0.0.1", "[2001:db8::7]:4711", "2001:db8:0:0::/64"],
  ])("%s", (_what, trust, remote, forwarded, expected) =>
    expect(group(trust, remote, forwarded)).toBe(expected),
  );

  test("what a proxy forwards is never local, whatever the header says", () => {
    for (const trust of [0, 1, ["127.0.0.1"]])
      expect(new ClientAddresses(trust).of(from("127.0.0.1", { "x-forwarded-for": "127.0.0.1" })).local).toBe(
        false,
      );
    expect(new ClientAddresses(0).of(from("127.0.0.1", { forwarded: "for=127.0.0.1" })).local).toBe(false);
    expect(new ClientAddresses(0).of(from("::ffff:127.0.0.1")).local).toBe(true);
    expect(new ClientAddresses(0).of(from("192.0.2.1")).local).toBe(false);
  });

  test("a list of proxies with something else in it is refused by name", () => {
    for (const entry of ["proxy.example", "10.0.0.0/33", "10.0.0.1/x", ""])
      expect(() => new ClientAddresses([entry])).toThrow(`${entry}: a proxy is an IP address`);
  });
});

test.each([
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:0DB8:0001:0002::1", "2001:db8:1:2::/64"],
  ["2001:db8::1", "2001:db8:0:0::/64"],
  ["::1", "0:0:0:0::/64"],
  ["fe80::", "fe80:0:0:0::/64"],
  ["192.0.2.1", "192.0.2.1"],
])("%s counts as %s", (address, expected) => expect(groupOf(address)).toBe(expected));

test.each([
  ["::ffff:1.2.3.4", "1.2.3.4"],
  ["::ffff:0102:0304", "1.2.3.4"],
  [' "1.2.3.4" ', "1.2.3.4"],
  ["fe80::1%eth0", "fe80::1"],
  ["1.2.3", undefined],
  ["", undefined],
])("%s is the address %s", (text, expected) => expect(plainAddress(text)).toBe(expected));
