// Every operation and every answer that a client can bring about: the server's and the description's must agree.

import Ajv from "ajv/dist/2020.js";
import { afterAll, beforeAll, expect, test } from "vitest";
import { bucketOf, paths } from "../hub/hub-api.ts";
import { authorization, signInText } from "../hub/sign-in.ts";
import { localWallet, type LocalWallet } from "../wallet/wallet.local.ts";
import { OPERATIONS, openApi, type Schema } from "./hub-openapi.ts";
import { MemoryStore } from "./hub-store.memory.ts";
import { startServer, type RunningServer } from "./server.ts";

const [alice, bob] = ["a1", "b2"].map((byte) => localWallet(`0x${byte.repeat(32)}`)) as [
  LocalWallet,
  LocalWallet,
];
let server: RunningServer;
beforeAll(async () => {
  server = await startServer({ store: new MemoryStore() });
});
afterAll(() => server.close());

function signIn(wallet: LocalWallet): string {
  const issuedAt = Date.now();
  const [domain, uri] = [new URL(server.url).host, server.url];
  const said = signInText({ address: wallet.address, domain, uri, nonce: "abcdefgh12", issuedAt });
  return authorization(wallet.address, issuedAt, wallet.signTextNow(said), said);
}

const mine = bucketOf(alice.address);
const ajv = new Ajv({ strict: false, validateFormats: false });
const KIND = '{"kind":"memory"}';

/** Method, path, expected status, writer, body. */
type Call = readonly [string, string, number, (LocalWallet | undefined)?, (string | Uint8Array)?];
const CALLS: readonly Call[] = [
  ["GET", paths.info, 200],
  ["PUT", paths.bucket(mine), 401, undefined, KIND],
  ["PUT", paths.bucket(mine), 403, bob, KIND],
  ["PUT", paths.bucket(mine), 400, alice, "{}"],
  ["PUT", paths.object(mine, "k"), 404, alice, "v"],
  ["PUT", paths.bucket(mine), 201, alice, KIND],
  ["PUT", paths.bucket(mine), 200, alice, KIND],
  ["PUT", paths.bucket("other"), 201, alice, KIND],
  ["GET", paths.bucket(mine), 200],
  ["GET", paths.bucket("none"), 404],
  ["PUT", paths.object(mine, "coop1_1"), 202, alice, "value"],
  ["PUT", paths.object(mine, "coop1_1"), 409, alice, "another"],
  ["PUT", paths.object(mine, "k"), 403, bob, "v"],
  ["PUT", paths.object(mine, "k"), 401, undefined, "v"],
  ["PUT", paths.object(mine, "k"), 400, alice, ""],
  ["PUT", paths.object(mine, "k"), 413, alice, new Uint8Array(70_000)],
  ["GET", paths.object(mine, "coop1_1", alice.address), 200],
  ["GET", paths.object(mine, "none", alice.address), 404],
  ["GET", `${paths.object(mine, "k")}?owner=x`, 400],
  ["GET", paths.content(mine, "coop1_1", alice.address), 200],
  ["GET", `/v1/buckets/${mine}/objects/none/content?owner=${alice.address}`, 404],
  ["GET", paths.conversation(alice.address, "coop1", 0, 9), 200],
  ["GET", "/v1/conversations/coop1", 400],
  ["DELETE", paths.bucket(mine), 409, alice],
  ["DELETE", paths.bucket("other"), 403, bob],
  ["DELETE", paths.bucket("other"), 200, alice],
  ["DELETE", paths.bucket("other"), 404, alice],
];

function operationOf(method: string, path: string) {
  const plain = path.split("?", 1)[0]!;
  return OPERATIONS.find(
    (operation) =>
      operation.method === method.toLowerCase() &&
      new RegExp(`^${operation.path.replaceAll(/\{\w+\}/g, "[^/]+")}$`).test(plain),
  );
}

test("every answer of the server is one that the description has, in its form", async () => {
  const answered = new Set<string>();
  for (const [method, path, status, as, body] of CALLS) {
    const response = await fetch(new URL(path, server.url), {
      method,
      ...(as !== undefined && { headers: { authorization: signIn(as) } }),
      ...(body !== undefined && { body: body as BodyInit }),
    });
    const what = `${method} ${path} ${status}`;
    expect(`${method} ${path} ${response.status}`).toBe(what);
    const operation = operationOf(method, path);
    const answer = operation?.answers[String(status)];
    expect([what, answer]).toEqual([what, expect.anything()]);
    answered.add(`${operation!.method} ${operation!.path} ${status}`);
    const type = response.headers.get("content-type");
    if (answer!.schema === undefined) expect(type).toBe("application/octet-stream");
    else {
      expect(type).toMatch(/^application\/json/);
      const value: unknown = await response.json();
      ajv.validate(answer!.schema, value);
      expect([what, ajv.errors]).toEqual([what, null]);
    }
  }
  // What the description says beyond that, no single client brings about.
  const rare = new Set(["429", "503", "507", "599"]);
  const described = OPERATIONS.flatMap(({ method, path, answers }) =>
    Object.keys(answers).map((status) => `${method} ${path} ${status}`),
  );
  const missing = described.filter((line) => !answered.has(line) && !rare.has(line.slice(-3)));
  expect(missing.filter((line) => !line.endsWith("400") && !line.endsWith("401"))).toEqual([
    "put /v1/buckets/{bucket} 409", // there is one kind of bucket
  ]);
});

test("a form that is not the described one is found", () => {
  const receipt = OPERATIONS.find(({ path, method }) => path.endsWith("{key}") && method === "put")!;
  const schema = receipt.answers["202"]!.schema!;
  const good = { bucket: "b", key: "k", size: 1, status: "stored", availability: "available" };
  expect(ajv.validate(schema, good)).toBe(true);
  for (const bad of [
    { ...good, size: 0 },
    { ...good, more: 1 },
    { ...good, key: undefined },
  ])
    expect(ajv.validate(schema, JSON.parse(JSON.stringify(bad)))).toBe(false);
});

test("the server hands out the description, with every path, parameter and answer", async () => {
  const response = await fetch(new URL("/openapi.json", server.url));
  const found = (await response.json()) as Schema & { paths: Record<string, Record<string, Schema>> };
  expect(found).toEqual(JSON.parse(JSON.stringify(openApi())));
  expect(Object.keys(found.paths)).toHaveLength(5);
  for (const [path, methods] of Object.entries(found.paths))
    for (const operation of Object.values(methods)) {
      const parameters = operation["parameters"] as { name: string; in: string }[];
      const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      expect(parameters.filter(({ in: where }) => where === "path").map(({ name }) => name)).toEqual(named);
      expect(Object.keys(operation["responses"] as object)).toContain("400");
    }
});
