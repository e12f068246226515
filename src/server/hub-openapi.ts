// The Hub's interface as OpenAPI 3.1, made from one table of operations. A test sends requests to a server and holds every
// answer against it, so that the description says what the server does. Served as `/openapi.json`.

import { ABSENT, BUCKET_KIND, MAX_BUCKET_BYTES, MAX_KEY_BYTES, PAGE_LENGTH } from "../hub/hub-api.ts";

export type Schema = { readonly [name: string]: unknown };

interface Answer {
  readonly says: string;
  /** Undefined: bytes. */
  readonly schema: Schema | undefined;
}

export interface Operation {
  readonly method: "get" | "put" | "delete";
  readonly path: string;
  readonly says: string;
  readonly signed: boolean;
  readonly query: readonly { readonly name: string; readonly required: boolean; readonly schema: Schema }[];
  readonly body: "json" | "bytes" | undefined;
  readonly answers: Readonly<Record<string, Answer>>;
}

const text = { type: "string" };
const address = { type: "string", pattern: "^0x[0-9a-f]{40}$" };
const closed = (properties: Readonly<Record<string, Schema>>, optional: readonly string[] = []): Schema => ({
  type: "object",
  properties,
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
  additionalProperties: false,
});

const failure = closed({ Type: text, Message: text });
const bucket = closed({ bucket: text, kind: { const: BUCKET_KIND }, owner: address });
const receiptFields = {
  bucket: text,
  key: text,
  size: { type: "integer", minimum: 1 },
  status: { const: "stored" },
  availability: { const: "available" },
};
const says = (schema: Schema | undefined, what: string): Answer => ({ schema, says: what });
const fails = (what: string): Answer => says(failure, what);

/** What any call may be answered. */
const ALWAYS = {
  "400": fails("the request is malformed"),
  "429": fails("too fast: wait for Retry-After"),
  "503": fails("busy, read-only or without its store: wait for Retry-After where there is one"),
  "599": fails("a fault inside"),
};
const SIGNED = {
  ...ALWAYS,
  "401": fails("the sign-in is missing, expired, or names another Hub"),
  "403": fails("the bucket is another owner's"),
};
const owner = { name: "owner", required: false, schema: { type: "string" } };
const absent = { name: ABSENT, required: false, schema: { const: "200" } };
const count = (name: string, standard: number) => ({
  name,
  required: false,
  schema: { type: "integer", minimum: 0, default: standard },
});

export const OPERATIONS: readonly Operation[] = [
  {
    ...{ method: "get", path: "/v1/info", says: "whether a Hub answers here", signed: false },
    ...{ query: [], body: undefined },
    answers: {
      ...ALWAYS,
      "200": says(closed({ name: text, version: { const: 1 }, status: { const: "ok" } }), "it does"),
    },
  },
  {
    ...{ method: "put", path: "/v1/buckets/{bucket}", says: "makes a bucket", signed: true },
    ...{ query: [], body: "json" },
    answers: {
      ...SIGNED,
      "200": says(bucket, "it was there"),
      "201": says(bucket, "it is made"),
      "409": fails("it is of another kind"),
      "507": fails("a quota is used up"),
    },
  },
  {
    ...{ method: "get", path: "/v1/buckets/{bucket}", says: "who has a bucket", signed: false },
    ...{ query: [], body: undefined },
    answers: { ...ALWAYS, "200": says(bucket, "its owner"), "404": fails("there is none") },
  },
  {
    ...{
      method: "delete",
      path: "/v1/buckets/{bucket}",
      says: "deletes a bucket with its values",
      signed: true,
    },
    ...{ query: [], body: undefined },
    answers: {
      ...SIGNED,
      "200": says(closed({ bucket: text, status: { const: "deleted" } }), "it is gone"),
      "404": fails("there is none"),
      "409": fails("it holds an append-only value"),
    },
  },
  {
    ...{ method: "put", path: "/v1/buckets/{bucket}/objects/{key}", says: "stores a value", signed: true },
    ...{ query: [], body: "bytes" },
    answers: {
      ...SIGNED,
      "202": says(closed(receiptFields), "it is durable"),
      "404": fails("there is no such bucket"),
      "409": fails("the key is append-only and holds other bytes"),
      "413": fails("it is too large"),
      "507": fails("a quota is used up"),
    },
  },
  {
    ...{ method: "get", path: "/v1/buckets/{bucket}/objects/{key}", says: "what is stored", signed: false },
    ...{ query: [owner], body: undefined },
    answers: {
      ...ALWAYS,
      "200": says(
        closed({
          ...receiptFields,
          createdAt: { type: "string", format: "date-time" },
          sha256: { type: "string", pattern: "^[0-9a-f]{64}$" },
        }),
        "a receipt",
      ),
      "404": fails("there is none"),
    },
  },
  {
    ...{ method: "get", path: "/v1/buckets/{bucket}/objects/{key}/content", says: "a value", signed: false },
    ...{ query: [owner, absent], body: undefined },
    answers: {
      ...ALWAYS,
      "200": says(undefined, "its bytes; with absent=200, JSON of an error where there is none"),
      "404": fails("there is none"),
    },
  },
  {
    ...{
      method: "get",
      path: "/v1/conversations/{id}",
      says: "texts in the order of writing",
      signed: false,
    },
    query: [{ ...owner, required: true }, count("offset", 0), count("length", PAGE_LENGTH)],
    body: undefined,
    answers: {
      ...ALWAYS,
      "200": says(
        closed({ conversation: text, messages: { type: "array", items: text, maxItems: PAGE_LENGTH } }),
        "a page; only an empty one is the end",
      ),
    },
  },
];

const LONGEST: Readonly<Record<string, number>> = {
  bucket: MAX_BUCKET_BYTES,
  key: MAX_KEY_BYTES,
  id: MAX_KEY_BYTES,
};

export function openApi(): Schema {
  const paths: Record<string, Record<string, Schema>> = {};
  for (const operation of OPERATIONS) (paths[operation.path] ??= {})[operation.method] = describe(operation);
  return {
    openapi: "3.1.0",
    info: {
      title: "Coop Hub",
      version: "1",
      description: "Stores bytes by owner and key. Trusted with nothing.",
    },
    paths,
    components: {
      securitySchemes: {
        signIn: {
          type: "apiKey",
          in: "header",
          name: "Authorization",
          description: "One line of JSON with a personal_sign over an EIP-4361 text (docs/protocol.md)",
        },
      },
    },
  };
}

function describe({ path, says: summary, signed, query, body, answers }: Operation): Schema {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
  return {
    summary,
    ...(signed && { security: [{ signIn: [] }] }),
    parameters: [
      ...names.map((name) => ({
        ...{ name, in: "path", required: true },
        schema: { type: "string", minLength: 1, maxLength: LONGEST[name] },
      })),
      ...query.map((parameter) => ({ in: "query", ...parameter })),
    ],
    ...(body !== undefined && { requestBody: { required: true, content: bodyOf(body) } }),
    responses: Object.fromEntries(
      Object.entries(answers).map(([status, answer]) => [
        status,
        { description: answer.says, content: contentOf(answer.schema) },
      ]),
    ),
  };
}

function bodyOf(body: "json" | "bytes"): Schema {
  return body === "json"
    ? { "application/json": { schema: closed({ kind: { const: BUCKET_KIND } }) } }
    : contentOf(undefined);
}

function contentOf(schema: Schema | undefined): Schema {
  return schema === undefined ? { "application/octet-stream": {} } : { "application/json": { schema } };
}
