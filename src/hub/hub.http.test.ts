// The HTTP client against answers written by hand: every status, every oddity of section 7 of the protocol.

import { describe, expect, test } from "vitest";
import { fromUtf8, utf8 } from "../core/bytes.ts";
import { ManualClock } from "../testing/network-clock.ts";
import { bucketOf } from "./hub-api.ts";
import { HubError } from "./hub-error.ts";
import { alice, hubCode } from "./hub.contract.ts";
import { HttpHub, type HttpHubOptions } from "./hub.http.ts";

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly body: string;
  readonly authorization: string | undefined;
}

type Reply = Response | Error | "hang";

/** Answers by a function of the request; keeps what was asked; time is moved by hand. */
class Wire {
  readonly clock = new ManualClock(Date.parse("2026-01-01T00:00:00Z"));
  readonly asked: Asked[] = [];
  /** Otherwise `/v1/info` is answered as by a Hub, and not counted. */
  asksInfo = false;
  open = 0;
  mostOpen = 0;
  readonly #answer: (asked: Asked, count: number) => Reply | Promise<Reply>;

  constructor(answer: (asked: Asked, count: number) => Reply | Promise<Reply>) {
    this.#answer = answer;
  }

  hub(options: HttpHubOptions = {}): HttpHub {
    return new HttpHub(
      "https://hub.example/",
      {
        fetch: (url, init) => this.#fetch(url, init),
        now: () => this.clock.now(),
        timer: (ms, work) => this.clock.after(ms, work),
        chance: () => 0.5,
        randomBytes: (length) => new Uint8Array(length),
      },
      options,
    );
  }

  async #fetch(url: string, init: RequestInit): Promise<Response> {
    const headers = init.headers as Record<string, string>;
    const body =
      init.body instanceof Uint8Array ? fromUtf8(init.body)! : ((init.body as string | undefined) ?? "");
    const path = url.replace("https://hub.example", "");
    if (path === "/v1/info" && !this.asksInfo) return json({ name: "hub" });
    const asked = { method: init.method!, path, body, authorization: headers["authorization"] };
    this.asked.push(asked);
    this.mostOpen = Math.max(this.mostOpen, ++this.open);
    try {
      const reply = await this.#answer(asked, this.asked.length);
      if (reply === "hang")
        return await new Promise((_, reject) =>
          init.signal!.addEventListener("abort", () => reject(new Error("aborted"))),
        );
      if (reply instanceof Error) throw reply;
      return reply;
    } finally {
      this.open--;
    }
  }

  /** Moves the clock from timer to timer until the work settles. */
  async settle<T>(work: Promise<T>): Promise<T> {
    let settled = false;
    const mark = () => (settled = true);
    work.then(mark, mark);
    for (;;) {
      for (let i = 0; i < 50; i++) await Promise.resolve();
      await new Promise((resolve) => setImmediate(resolve));
      if (settled) return work;
      if (this.clock.next !== undefined) this.clock.advance(this.clock.next);
    }
  }

  get lines(): string[] {
    return this.asked.map(({ method, path }) => `${method} ${path}`);
  }
}

const json = (value: unknown, status = 200, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(value), { status, headers });
const fault = (status: number, message = "", headers: Record<string, string> = {}) =>
  json({ Type: "Some", Message: message }, status, headers);
const receipt = { bucket: "b", key: "k", size: 1, status: "stored", availability: "available" };
const bucket = bucketOf(alice.address);
const value = utf8("v");

describe("statuses", () => {
  test.each<[number, string]>([
    [400, "bad-request"],
    [401, "unauthorized"],
    [403, "forbidden"],
    [409, "conflict"],
    [413, "too-large"],
    [418, "bad-answer"],
  ])("%i is %s", async (status, code) => {
    const wire = new Wire(() => fault(status, "why"));
    const error: unknown = await wire.settle(
      wire
        .hub()
        .put(alice, "k", value)
        .catch((e: unknown) => e),
    );
    expect(error).toBeInstanceOf(HubError);
    expect(error).toMatchObject({ code, status });
    expect((error as HubError).message).toContain("why");
  });

  test.each<[Reply, string]>([
    [fault(429), "rate-limited"],
    [fault(500), "server"],
    [fault(599), "server"],
    [new TypeError("fetch failed"), "offline"],
    ["hang", "timeout"],
  ])("after five attempts %o is %s", async (reply, code) => {
    const wire = new Wire(() => (reply instanceof Response ? reply.clone() : reply));
    expect(await wire.settle(hubCode(wire.hub().get(alice.address, "k")))).toBe(code);
    expect(wire.asked).toHaveLength(5);
  });

  test("503 to a write is read-only, and not tried again", async () => {
    const wire = new Wire(() => fault(503));
    expect(await wire.settle(hubCode(wire.hub().put(alice, "k", value)))).toBe("read-only");
    expect(wire.asked).toHaveLength(1);
  });

  test("a broken error body is only a poor message", async () => {
    for (const text of ["null", "[]", "<html>", '"x"', '{"Message":42}', ""]) {
      const wire = new Wire(() => new Response(text, { status: 403 }));
      expect(await wire.settle(hubCode(wire.hub().deleteBucket(alice, "b")))).toBe("forbidden");
    }
  });

  test("a refused sign-in with clocks apart says to check the clock", async () => {
    const wire = new Wire(() => fault(401, "no", { date: "Thu, 01 Jan 2026 02:00:00 GMT" }));
    const error: unknown = await wire.settle(
      wire
        .hub()
        .put(alice, "k", value)
        .catch((e: unknown) => e),
    );
    expect(error).toMatchObject({ code: "clock-skew" });
    expect((error as HubError).message).toMatch(/check your clock: .* 7200 seconds apart/);
  });
});

describe("trying again", () => {
  test("waits as long as Retry-After asks and a little, spread, then succeeds", async () => {
    const wire = new Wire((_asked, count) =>
      count === 1 ? fault(429, "", { "retry-after": "7" }) : new Response("v"),
    );
    const start = wire.clock.now();
    await wire.settle(wire.hub().get(alice.address, "k"));
    expect(wire.clock.now() - start).toBe(7300);
  });

  test("Retry-After may be a date", async () => {
    const wire = new Wire((_asked, count) =>
      count === 1 ? fault(503, "", { "retry-after": "Thu, 01 Jan 2026 00:00:09 GMT" }) : new Response("v"),
    );
    const start = wire.clock.now();
    await wire.settle(wire.hub().get(alice.address, "k"));
    expect(wire.clock.now() - start).toBe(9300);
  });

  test("a wait that is too long is the caller's to decide", async () => {
    const wire = new Wire(() => fault(429, "", { "retry-after": "3600" }));
    await expect(wire.settle(wire.hub().get(alice.address, "k"))).rejects.toMatchObject({ retryAfter: 3600 });
    expect(wire.asked).toHaveLength(1);
  });

  test("Retry-After is heeded by every request of the client, also by those that come later", async () => {
    const times: number[] = [];
    const wire = new Wire((_asked, count) => {
      times.push(wire.clock.now());
      return count === 1 ? fault(429, "", { "retry-after": "7" }) : new Response("v");
    });
    const hub = wire.hub();
    const first = hub.get(alice.address, "a");
    await new Promise((resolve) => setImmediate(resolve));
    wire.clock.advance(1000);
    await wire.settle(Promise.all([first, hub.get(alice.address, "b"), hub.get(alice.address, "c")]));
    expect(times).toHaveLength(4);
    expect(times.slice(1).every((time) => time >= times[0]! + 7000)).toBe(true);
  });

  test("a Hub that asks for a year is left alone for five minutes", async () => {
    const wire = new Wire((_asked, count) =>
      count === 1 ? fault(429, "", { "retry-after": "31536000" }) : json({ name: "hub" }),
    );
    wire.asksInfo = true;
    const hub = wire.hub();
    expect(await wire.settle(hubCode(hub.get(alice.address, "k")))).toBe("rate-limited");
    wire.clock.advance(299_000);
    expect(await hubCode(hub.ping())).toBe("rate-limited");
    expect(wire.asked).toHaveLength(1);
    wire.clock.advance(1_000);
    await hub.ping();
    expect(wire.asked).toHaveLength(2);
  });

  test("waits grow and are spread", async () => {
    const times: number[] = [];
    const wire = new Wire(() => {
      times.push(wire.clock.now());
      return new TypeError("fetch failed");
    });
    await wire.settle(hubCode(wire.hub().get(alice.address, "k")));
    expect(times.slice(1).map((time, i) => time - times[i]!)).toEqual([300, 600, 1200, 2400]);
  });

  test("giving up ends a wait", async () => {
    const wire = new Wire(() => new TypeError("fetch failed"));
    const abort = new AbortController();
    const work = hubCode(wire.hub().get(alice.address, "k", { signal: abort.signal }));
    await new Promise((resolve) => setImmediate(resolve));
    abort.abort();
    expect(await work).toBe("aborted");
    expect(wire.clock.waiting).toBe(0);
  });

  test("giving up ends a request under way", async () => {
    const wire = new Wire(() => "hang");
    const abort = new AbortController();
    const work = hubCode(wire.hub().get(alice.address, "k", { signal: abort.signal }));
    await new Promise((resolve) => setImmediate(resolve));
    abort.abort();
    expect(await work).toBe("aborted");
  });

  test("asking whether the Hub is there is done once", async () => {
    const wire = new Wire(() => new TypeError("fetch failed"));
    wire.asksInfo = true;
    expect(await hubCode(wire.hub().ping())).toBe("offline");
    expect(wire.asked).toHaveLength(1);
  });

  test("so many requests at once, no more", async () => {
    const wire = new Wire(async () => {
      await new Promise((resolve) => setImmediate(resolve));
      return new Response("v");
    });
    const hub = wire.hub({ concurrency: 3 });
    await Promise.all(Array.from({ length: 20 }, (_, i) => hub.get(alice.address, `k${i}`)));
    expect(wire.mostOpen).toBe(3);
  });
});

describe("buckets", () => {
  /** A Hub where these buckets are other people's. */
  const withSquatters = (squatted: readonly string[]) => {
    const mine = new Set<string>();
    return new Wire(({ method, path }) => {
      const [, , , name, inside] = path.split("/");
      if (squatted.includes(name!)) return fault(403);
      if (inside === "objects") return mine.has(name!) ? json(receipt, 202) : fault(404);
      expect(method).toBe("PUT");
      mine.add(name!);
      return json({}, 201);
    });
  };

  test("made when they are missing, once", async () => {
    const wire = withSquatters([]);
    const hub = wire.hub();
    await hub.put(alice, "k", value);
    await hub.put(alice, "k2", value);
    const object = `PUT /v1/buckets/${bucket}/objects`;
    expect(wire.lines).toEqual([`${object}/k`, `PUT /v1/buckets/${bucket}`, `${object}/k`, `${object}/k2`]);
    expect(wire.asked[1]!.body).toBe('{"kind":"memory"}');
    expect(new Set(wire.asked.map(({ authorization }) => authorization)).size).toBe(1);
  });

  test("a name drawn anew where a squatter has the first, kept for the next write", async () => {
    const wire = withSquatters([bucket]);
    const hub = wire.hub();
    await hub.put(alice, "k", value);
    const drawn = wire.lines.at(-1)!.split("/")[3]!;
    expect(drawn).toMatch(new RegExp(`^coop-${alice.address}-[0-9a-f]{8}$`));
    await hub.put(alice, "k", value);
    expect(wire.lines.at(-1)).toBe(wire.lines.at(-2));
  });

  test("writes that find the first name squatted together draw one name", async () => {
    const wire = withSquatters([bucket]);
    const hub = wire.hub();
    await Promise.all(["a", "b", "c"].map((key) => hub.put(alice, key, value)));
    const stored = wire.lines.slice(-3).map((line) => line.split("/")[3]);
    expect(new Set(stored).size).toBe(1);
  });

  test("a Hub that refuses every name is an error, not a loop", async () => {
    const wire = new Wire(() => fault(403));
    expect(await hubCode(wire.hub().put(alice, "k", value))).toBe("forbidden");
    expect(wire.asked.length).toBeLessThan(12);
  });

  test("a Hub that forgets the bucket it has just made is an error, not a loop", async () => {
    const wire = new Wire(({ path }) => (path.includes("objects") ? fault(404) : json({}, 200)));
    expect(await wire.settle(hubCode(wire.hub().put(alice, "k", value)))).toBe("not-found");
    expect(wire.asked).toHaveLength(9);
  });

  test("a bucket that was not made although the Hub said so is made again, after a wait", async () => {
    let made = 0;
    const wire = new Wire(({ path }) => {
      if (path.includes("objects")) return made < 3 ? fault(404) : json(receipt, 202);
      made++;
      return json({}, 201);
    });
    expect(await wire.settle(wire.hub().put(alice, "k", value))).toMatchObject({ key: "k" });
    expect(made).toBe(3);
  });

  test("writes that miss the bucket together make it once", async () => {
    const wire = withSquatters([]);
    const hub = wire.hub();
    await Promise.all(["a", "b", "c", "d"].map((key) => hub.put(alice, key, value)));
    expect(wire.lines.filter((line) => line === `PUT /v1/buckets/${bucket}`)).toHaveLength(1);
  });
});

describe("signing in", () => {
  test("a sign-in that has worked and is refused now is renewed once", async () => {
    let good = "";
    const wire: Wire = new Wire(({ authorization }): Reply => {
      good ||= authorization!;
      return wire.clock.now() > Date.parse("2026-01-01T00:05:00Z") && authorization === good
        ? fault(401)
        : json(receipt, 202);
    });
    const hub = wire.hub();
    await hub.put(alice, "k", value);
    wire.clock.advance(400_000);
    await hub.put(alice, "k", value);
    expect(wire.asked).toHaveLength(3);
    expect(wire.asked[2]!.authorization).not.toBe(good);
  });

  test("reads carry no sign-in", async () => {
    const wire = new Wire(() => new Response("v"));
    await wire.hub().get(alice.address, "k");
    expect(wire.asked[0]!.authorization).toBeUndefined();
  });
});

describe("answers", () => {
  const page = (hub: HttpHub, length = 8) => hub.page(alice.address, "coop1", 0, length);

  test.each<[unknown, readonly string[]]>([
    [{ conversation: "coop1", messages: null }, []],
    [{ conversation: "coop1" }, []],
    [{ messages: ["a", null, 42, "b"] }, ["a", "", "", "b"]],
  ])("%j are messages", async (answer, messages) => {
    expect(await page(new Wire(() => json(answer)).hub())).toEqual(messages);
  });

  test.each(["null", "[]", '"x"', "42", "{", '{"messages":"x"}', '{"messages":{}}', ""])(
    "%s is no page",
    async (text) => {
      expect(await hubCode(page(new Wire(() => new Response(text)).hub()))).toBe("bad-answer");
    },
  );

  test.each(["null", "[]", "{}", '{"bucket":"b"}', "x"])("%s is no receipt", async (text) => {
    const wire = new Wire(() => new Response(text, { status: 202 }));
    expect(await hubCode(wire.hub().put(alice, "k", value))).toBe("bad-answer");
  });

  test("a page of nobody's conversation is empty", async () => {
    expect(await page(new Wire(() => fault(404)).hub())).toEqual([]);
  });

  test("a value over the cap is not read", async () => {
    const wire = new Wire(() => new Response("x".repeat(101)));
    expect(await hubCode(wire.hub({ valueBytes: 100 }).get(alice.address, "k"))).toBe("capped");
    expect(await hubCode(wire.hub({ valueBytes: 101 }).get(alice.address, "k"))).toBe("no error");
  });

  test("the cap holds whatever the headers say, and stops the reading", async () => {
    let pulled = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        pulled++;
        controller.enqueue(new Uint8Array(1000));
      },
    });
    const wire = new Wire(() => new Response(endless));
    expect(await hubCode(wire.hub({ valueBytes: 5000 }).get(alice.address, "k"))).toBe("capped");
    expect(pulled).toBeLessThan(10);
  });

  test("a page over the cap is asked for in smaller ones", async () => {
    const texts = ["x".repeat(30), "y".repeat(30), "z".repeat(200)];
    const wire = new Wire(({ path }) => {
      const query = new URLSearchParams(path.split("?")[1]);
      const offset = Number(query.get("offset"));
      return json({ messages: texts.slice(offset, offset + Number(query.get("length"))) });
    });
    const hub = wire.hub({ pageBytes: 100 });
    expect(await page(hub)).toEqual(texts.slice(0, 2));
    expect(await hubCode(hub.page(alice.address, "coop1", 2, 8))).toBe("capped");
  });
});

describe("not a Hub", () => {
  const page = (hub: HttpHub) => hub.page(alice.address, "coop1", 0, 8);
  const html = (status: number) =>
    new Response("<!doctype html><title>Welcome</title>", {
      status,
      headers: { "content-type": "text/html" },
    });
  /** Something that answers every path alike, `/v1/info` too. */
  const other = (answer: () => Response) => {
    const wire = new Wire(answer);
    wire.asksInfo = true;
    return wire;
  };

  test.each<[string, () => Response]>([
    ["a file server: 404 with a page of HTML", () => html(404)],
    ["a file server: 404 in plain text", () => new Response("404 page not found", { status: 404 })],
    ["a start page for every path", () => html(200)],
    ["a greeting in plain text", () => new Response("Welcome")],
    [
      "a redirect",
      () => new Response(null, { status: 302, headers: { location: "https://other.example/" } }),
    ],
    ["a permanent redirect", () => new Response(null, { status: 308, headers: { location: "/v1/" } })],
    ["404 with JSON of another kind", () => json({ error: "not found" }, 404)],
  ])("%s is named in every call, and nothing is signed", async (_, answer) => {
    let signed = 0;
    const signer = { ...alice, signText: (text: string) => (signed++, alice.signText(text)) };
    const calls: ((hub: HttpHub) => Promise<unknown>)[] = [
      page,
      (hub) => hub.ping(),
      (hub) => hub.put(signer, "k", value),
      (hub) => hub.deleteBucket(signer, "b"),
    ];
    for (const call of calls) expect(await hubCode(call(other(answer).hub()))).toBe("not-a-hub");
    const got = await other(answer)
      .hub()
      .get(alice.address, "k")
      .catch((error: unknown) => error);
    // Plain text may be a value; it says nothing of other records.
    if (!(got instanceof Uint8Array)) expect(got).toMatchObject({ code: "not-a-hub" });
    expect(signed).toBe(0);
  });

  test("a redirect is not followed", async () => {
    let asked: RequestInit | undefined;
    const environment = {
      fetch: (_: string, init: RequestInit) => ((asked = init), Promise.resolve(json({ name: "hub" }))),
      now: () => 0,
      timer: () => () => undefined,
    };
    await new HttpHub("https://hub.example", environment as never).ping();
    expect(asked?.redirect).toBe("manual");
  });

  test("an owner's HTML under a key is a value of a Hub that answers like one", async () => {
    const wire = new Wire(() => html(200));
    expect(
      fromUtf8(
        await wire
          .hub()
          .get(alice.address, "k")
          .then((bytes) => bytes!),
      ),
    ).toContain("Welcome");
  });

  test("the public Hub's oddities are a Hub's: Type is always hub, 599 after a while", async () => {
    const absent = () => json({ Type: "hub", Message: "no such object b/k" }, 404);
    expect(await other(absent).hub().get(alice.address, "k")).toBeNull();
    const failing = new Wire(() => json({ Type: "hub", Message: "database is locked" }, 599));
    expect(await failing.settle(hubCode(page(failing.hub())))).toBe("server");
  });

  test("an answer cut off in the middle is a bad answer, not another kind of server", async () => {
    expect(await hubCode(page(new Wire(() => new Response('{"messages":["a')).hub()))).toBe("bad-answer");
  });

  test("507 is said as no room, and not tried again", async () => {
    const wire = new Wire(() => fault(507, "the quota of this wallet"));
    expect(await wire.settle(hubCode(wire.hub().put(alice, "k", value)))).toBe("storage-full");
    expect(wire.asked).toHaveLength(1);
  });
});

describe("places", () => {
  test("keys are sent as one path segment", async () => {
    const wire = new Wire(() => new Response("v"));
    const hub = wire.hub();
    for (const key of ["a/b", "%2e%2e", "a#b", "a?b=1", "é"]) await hub.get(alice.address, key);
    const sent = wire.asked.map(({ path }) => /objects\/(.*)\/content/.exec(path)![1]);
    expect(sent).toEqual(["a%2Fb", "%252e%252e", "a%23b", "a%3Fb%3D1", "%C3%A9"]);
  });

  test.each([
    "ftp://hub.example",
    "hub.example",
    "",
    "https://user:pw@hub.example",
    "https://hub.example?x=1",
  ])("%j is no Hub", (url) => {
    expect(() => new HttpHub(url, {} as never)).toThrow(HubError);
  });

  test("a Hub may live below a path", async () => {
    const paths: string[] = [];
    const environment = { fetch: (url: string) => (paths.push(url), Promise.resolve(new Response("{}"))) };
    const hub = new HttpHub("https://example.org/hub/", {
      ...environment,
      now: () => 0,
      timer: () => () => undefined,
    } as never);
    await hub.ping();
    expect(paths).toEqual(["https://example.org/hub/v1/info"]);
    expect(hub.name).toBe("https://example.org/hub");
  });
});

test.each([
  ["a Hub’s 200 for what is not there", "application/json", { Type: "NotFound", Message: "no" }, "not there"],
  ["another program’s message", "application/json", { message: "not found" }, "a value"],
  ["an error of another type", "application/json", { Type: "Internal", Message: "no" }, "a value"],
  ["the same bytes as a value", "application/octet-stream", { Type: "NotFound", Message: "no" }, "a value"],
])("H9: %s, read as it is meant", async (_, type, body, expected) => {
  const wire = new Wire(() => json(body, 200, { "content-type": type }));
  const found = await wire.settle(wire.hub().get(alice.address, "k"));
  expect(found === null ? "not there" : "a value").toBe(expected);
  expect(wire.lines).toEqual([
    `GET /v1/buckets/${bucket}/objects/k/content?owner=${alice.address}&absent=200`,
  ]);
});

test("H9: an answer of absence that was cut anywhere is an error, never the bytes of a value", async () => {
  const whole = JSON.stringify({ Type: "NotFound", Message: "there is no such object" });
  for (let length = 0; length < whole.length; length++) {
    const type = { "content-type": "application/json" };
    const wire = new Wire(() => new Response(whole.slice(0, length), { headers: type }));
    await expect(wire.settle(wire.hub().get(alice.address, "k"))).rejects.toMatchObject({
      code: "bad-answer",
    });
  }
});

test("a log’s first entry makes its bucket before it is written, so that no write is refused", async () => {
  const wire = new Wire(({ path }) => (path.includes("/objects/") ? json(receipt, 202) : json({}, 201)));
  await wire.settle(wire.hub().put(alice, "coop1_00000000000000000000", value));
  expect(wire.lines).toEqual([
    `PUT /v1/buckets/${bucket}`,
    `PUT /v1/buckets/${bucket}/objects/coop1_00000000000000000000`,
  ]);
});
