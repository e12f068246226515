// Who a request comes from. The address is the one that the nearest trusted proxy added to X-Forwarded-For, never one
// that a client wrote itself. Limits count IPv4 addresses one by one and IPv6 by /64, which is what one subscriber gets.

import type { IncomingMessage } from "node:http";
import { BlockList, isIP, isIPv6 } from "node:net";

/** How many proxies stand in front, or which addresses and subnets (CIDR) they have. */
export type ProxyTrust = number | readonly string[];

export interface Client {
  /** The address that limits are counted by: an IPv4 address, or the first 64 bits of an IPv6 one. */
  readonly group: string;
  /** A program on this machine itself: it came over loopback, and no proxy forwarded it. */
  readonly local: boolean;
}

export class ClientAddresses {
  readonly #isTrusted: (address: string, hops: number) => boolean;
  readonly #withProxies: boolean;

  /** @throws where an address or subnet of the list is malformed */
  constructor(trust: ProxyTrust = 0) {
    this.#withProxies = typeof trust === "number" ? trust > 0 : trust.length > 0;
    if (typeof trust === "number") this.#isTrusted = (_address, hops) => hops < trust;
    else {
      const list = blockListOf(trust);
      this.#isTrusted = (address) => list.check(address, isIPv6(address) ? "ipv6" : "ipv4");
    }
  }

  of(request: IncomingMessage): Client {
    const remote = plainAddress(request.socket.remoteAddress ?? "") ?? "unknown";
    const header = request.headers["x-forwarded-for"];
    const forwarded = header !== undefined || request.headers["forwarded"] !== undefined;
    if (header === undefined || !this.#withProxies)
      return { group: groupOf(remote), local: isLoopback(remote) && !forwarded };
    const chain = String(header).split(",");
    let address = remote;
    for (let hops = 0; chain.length > 0 && this.#isTrusted(address, hops); hops++) {
      const next = plainAddress(chain.pop()!);
      if (next === undefined) break;
      address = next;
    }
    return { group: groupOf(address), local: false };
  }

  /** Whether connections from there may carry many clients' requests, so that they are not counted by address. */
  isProxy(remote: string | undefined): boolean {
    const address = plainAddress(remote ?? "");
    return this.#withProxies && address !== undefined && this.#isTrusted(address, 0);
  }
}

/** The same for a bare socket, which has no headers. */
export function clientOf(remote: string | undefined): Client {
  const address = plainAddress(remote ?? "") ?? "unknown";
  return { group: groupOf(address), local: isLoopback(address) };
}

/** `IP`, `IP:port` or `[IP]:port` as a bare address; undefined where it is none ("unknown", a name). */
export function plainAddress(text: string): string | undefined {
  let address = text.trim().replace(/^"(.*)"$/, "$1");
  const bracketed = /^\[([^\]]+)\](?::\d+)?$/.exec(address);
  if (bracketed !== null) address = bracketed[1]!;
  else if (/^[\d.]+:\d+$/.test(address)) address = address.slice(0, address.indexOf(":"));
  address = address.split("%", 1)[0]!;
  if (isIP(address) === 0) return undefined;
  return unmapped(address) ?? address;
}

/** The IPv4 address within an IPv4-mapped one (::ffff:1.2.3.4), in either spelling. */
function unmapped(address: string): string | undefined {
  const dotted = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address);
  if (dotted !== null) return dotted[1];
  const hex = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/i.exec(address);
  if (hex === null) return undefined;
  const [high, low] = [parseInt(hex[1]!, 16), parseInt(hex[2]!, 16)];
  return [high >> 8, high & 255, low >> 8, low & 255].join(".");
}

export function groupOf(address: string): string {
  if (!isIPv6(address)) return address;
  const [head = "", tail] = address.toLowerCase().split("::");
  const before = head === "" ? [] : head.split(":");
  const after = tail === undefined || tail === "" ? [] : tail.split(":");
  const dotted = address.includes(".") ? 1 : 0; // the last part then stands for two
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - before.length - after.length - dotted);
  const parts = [...before, ...new Array<string>(zeros).fill("0"), ...after];
  return `${parts
    .slice(0, 4)
    .map((part) => part.replace(/^0+(?=.)/, ""))
    .join(":")}::/64`;
}

function isLoopback(address: string): boolean {
  return address === "::1" || address.startsWith("127.");
}

function blockListOf(entries: readonly string[]): BlockList {
  const list = new BlockList();
  for (const entry of entries) {
    const [address = "", bits] = entry.split("/");
    const version = isIP(address);
    const most = version === 4 ? 32 : 128;
    const length = bits === undefined ? most : /^\d{1,3}$/.test(bits) ? Number(bits) : -1;
    if (version === 0 || length < 0 || length > most)
      throw new Error(`${entry}: a proxy is an IP address or a subnet such as 10.0.0.0/8`);
    list.addSubnet(address, length, version === 4 ? "ipv4" : "ipv6");
  }
  return list;
}
