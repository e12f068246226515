// What a disputed session comes down to: proofs and links that stand alone, Hubs that withhold, a sealed session with
// and without its key, what a server learns of a link, and a browser in which WebAssembly is refused.

import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import AxeBuilder from "@axe-core/playwright";
import { writeBundle } from "../src/core/bundle.ts";
import { utf8 } from "../src/core/bytes.ts";
import { systemHubEnvironment } from "../src/hub/hub-environment.ts";
import { HttpHub } from "../src/hub/hub.http.ts";
import { appendKey } from "../src/hub/log-keys.ts";
import { addressOf, Drawing, walletOf } from "../src/testing/build.ts";
import type { SampleEntry } from "../src/testing/samples.ts";
import { expect, startServer, test } from "./fixtures.ts";
import { HomePage } from "./pages/home.ts";
import { InspectorPage } from "./pages/inspector.ts";

const samples = JSON.parse(readFileSync("public/samples/index.json", "utf8")) as readonly SampleEntry[];
const sampleOf = (file: string) => samples.find((sample) => sample.file.startsWith(file))!;

// Players that no other test has logs of on the shared Hub.
const drawing = new Drawing()
  .genesis("g", "c", "c d", { body: { title: "In dispute" } })
  .commit("cc", "c", "rock")
  .commit("cd", "d", "paper", { sees: "cc" })
  .reveal("rc", "c", "rock", { sees: "cd" })
  .reveal("rd", "d", "paper", { sees: "rc" })
  .reveal("rd2", "d", "paper", { sees: "rc cc", after: "cd" });
const session = drawing.node("g").ref;
const whole = drawing.records("rd2");

async function publish(url: string, names: string): Promise<void> {
  const hub = new HttpHub(url, systemHubEnvironment());
  for (const node of names.split(" ").map((name) => drawing.node(name))) {
    const author = node.wallet === addressOf("c") ? "c" : "d";
    await hub.put(walletOf(author), appendKey(node.seq), utf8(node.wire));
  }
}

test.beforeAll(async ({ app }) => publish(app.url, "g cc cd rc rd"));

/** A server in front of the app that keeps what it was sent, and may change the policy. No WebSocket gets through. */
async function proxyTo(app: string, policy = (text: string) => text) {
  const received: string[] = [];
  const server: Server = createServer((asked, answer) => {
    received.push(`${asked.method} ${asked.url} ${JSON.stringify(asked.headers)}`);
    asked.on("data", (chunk: Buffer) => received.push(chunk.toString()));
    const on = request(new URL(asked.url ?? "/", app), { method: asked.method ?? "GET" }, (reply) => {
      const { "content-security-policy": said, ...headers } = reply.headers;
      const changed = typeof said === "string" && { "content-security-policy": policy(said) };
      answer.writeHead(reply.statusCode ?? 500, { ...headers, ...changed });
      reply.pipe(answer);
    });
    asked.pipe(on);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = () => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, received, close };
}

test("a sealed session: with its key the verdict, without it the chains and a word of why", async ({
  page,
}) => {
  const home = new HomePage(page);
  await home.open();
  await home.example(sampleOf("sealed-session").title).click();
  const inspector = new InspectorPage(page);
  await inspector.verified();
  expect(page.url()).toContain("k=");
  await expect(inspector.verdict.locator("[data-verdict]")).toHaveAttribute("data-verdict", "decided");
  await page.goto(`./#/s/${sampleOf("sealed-session").session}`);
  await expect(
    page
      .locator('[data-verdict="sealed"]')
      .or(page.getByText(/sealed/i))
      .first(),
  ).toBeVisible();
  await expect(page.locator('[data-verdict="decided"]')).toHaveCount(0);
});

test("a fork proof copied from the page convinces the command line, with no Hub", async ({
  page,
  context,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const home = new HomePage(page);
  await home.open();
  await home.example(sampleOf("fork").title).click();
  const inspector = new InspectorPage(page);
  await inspector.verified();
  await inspector.tab("Evidence");
  await page.getByRole("button", { name: "Copy the proof" }).click();
  await expect(page.getByText("Copied").first()).toBeVisible();
  const proof = await page.evaluate(() => navigator.clipboard.readText());
  const folder = mkdtempSync(join(tmpdir(), "coop-fork-"));
  const audit = (text: string) => {
    const file = join(folder, "proof.coop-fork.json");
    writeFileSync(file, text);
    const args = ["--import", "tsx", "src/cli/main.ts", "audit", "--fork", file];
    return spawnSync(process.execPath, args, { encoding: "utf8" }).status;
  };
  expect(audit(proof)).toBe(0);
  expect(audit(proof.replace(/"sig":"0x./, '"sig":"0xz'))).not.toBe(0);
  rmSync(folder, { recursive: true, force: true });
});

test("an audit link says whether the session has grown, shrunk or was rewritten", async ({ newPage }) => {
  /** Opens a link where these are the records at hand. */
  const open = async (records: readonly string[], link?: string) => {
    const page = await newPage();
    await page.goto("./");
    const inspector = new InspectorPage(page);
    await inspector.bring("session.coop.jsonl", writeBundle(session, records));
    await inspector.verified();
    if (link !== undefined) await page.goto(link);
    return inspector;
  };
  const before = await (await open(drawing.records("rd rd2"))).shareLink();
  const after = await (await open(whole)).shareLink();
  const grown = await open(whole, before);
  await expect(grown.audit()).toContainText("The session has grown by 1");
  const less = await open(drawing.records("rd rd2"), after);
  await expect(less.audit()).toContainText("something is withheld");
  const other = await open(drawing.records("rd"), after);
  await expect(other.audit()).toHaveAttribute("data-audit", "rewritten");
  const same = await open(whole, after);
  await expect(same.audit()).toHaveAttribute("data-audit", "same");
});

test("two Hubs: who lacks what; and an alarm when less is served than was seen before", async ({
  app,
  page,
  problems,
}) => {
  problems.expect(/request to another host: http:\/\/127\.0\.0\.1/);
  const data = mkdtempSync(join(tmpdir(), "coop-second-hub-"));
  const second = await startServer(["--port", "0", "--data", data]);
  try {
    await publish(second.url, "g cc cd rc"); // withholds the last entry
    const inspector = new InspectorPage(page);
    const [a, b] = [app.url, second.url].map((url) => encodeURIComponent(url));
    await page.goto(`/#/s/${session}?hub=${a}&hub=${b}&tab=evidence`);
    await inspector.verified();
    const sources = page.getByRole("region", { name: "Sources" });
    await expect(sources).toHaveAttribute("data-contested", "1");
    await expect(sources).toContainText("Not everywhere");
    await page.goto("about:blank");
    await page.goto(`/#/s/${session}?hub=${b}`);
    await inspector.verified();
    await expect(page.locator('[data-rollback="withheld"]')).toBeVisible();
    await expect(page.getByRole("alert")).toContainText("Less is served");
  } finally {
    await page.goto("about:blank"); // it polls the Hub that ends now
    await second.stop();
    rmSync(data, { recursive: true, force: true });
  }
});

test("nothing behind # reaches a server", async ({ app, page, problems }) => {
  problems.expect(/request to another host|WebSocket/); // the server in front is the test's own
  const proxy = await proxyTo(app.url);
  try {
    const secrets = {
      v: `0x${"5e".repeat(32)}`,
      k: "c2VjcmV0".repeat(5) + "c2U",
      note: "only-for-the-reader",
    };
    const query = new URLSearchParams({ ...secrets, tab: "why" });
    await page.goto(`${proxy.url}#/s/${session}?${query.toString()}`);
    await expect(page.getByTestId("why")).toBeVisible();
    const all = proxy.received.join("\n");
    expect(all).toContain("/v1/");
    for (const secret of [...Object.values(secrets), "tab=why", "#/s/"]) expect(all).not.toContain(secret);
  } finally {
    await proxy.close();
  }
});

test("a link tells the relay nothing until its reader wants to follow the session live", async ({
  app,
  page,
}) => {
  const sockets: string[] = [];
  const sent: string[] = [];
  page.on("websocket", (socket) => {
    sockets.push(socket.url());
    socket.on("framesent", ({ payload }) => sent.push(String(payload)));
  });
  // One that can still go on: what is over has no news.
  const open = new Drawing()
    .genesis("g", "e", "e f", { body: { title: "Not over" } })
    .commit("ce", "e", "rock");
  for (const name of ["g", "ce"])
    await new HttpHub(app.url, systemHubEnvironment()).put(
      walletOf("e"),
      appendKey(open.node(name).seq),
      utf8(open.wire(name)),
    );
  const followed = open.node("g").ref;
  const inspector = new InspectorPage(page);
  await page.goto(`/#/s/${followed}?hub=${encodeURIComponent(app.url)}&v=0x${"5e".repeat(32)}`);
  await inspector.verified();
  await expect(page.locator('[data-live="polling"]')).toBeVisible();
  await inspector.tab("Evidence");
  await inspector.tab("Why");
  expect([sockets, sent]).toEqual([[], []]);
  await page.getByRole("button", { name: "Follow live" }).click();
  await expect(page.locator('[data-live="live"]')).toBeVisible();
  await expect(page.getByRole("button", { name: "Follow live" })).toHaveCount(0);
  expect(sockets).toEqual([`${app.url.replace("http", "ws")}/relay`]);
  expect(sent.join("\n")).toContain(followed);
});

for (const colorScheme of ["light", "dark"] as const)
  test(`wallet page and embed: nothing serious for axe, with motion reduced, ${colorScheme}`, async ({
    page,
  }) => {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await page.setViewportSize({ width: 360, height: 740 });
    for (const [route, sign] of [
      [`/#/w/${addressOf("c")}`, page.getByRole("heading", { name: "Sessions" })],
      [`/embed#/embed/s/${session}`, page.locator('[data-level="verified"]').first()],
    ] as const) {
      await page.goto(route);
      await expect(sign).toBeVisible();
      const { violations } = await new AxeBuilder({ page }).analyze();
      const serious = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
      expect(serious.map(({ id, nodes }) => `${route} ${id}: ${nodes[0]?.html}`)).toEqual([]);
      const running = await page.evaluate(
        () => document.getAnimations().filter((animation) => animation.playState === "running").length,
      );
      expect(running).toBe(0);
    }
  });

test("where WebAssembly is refused, every signature is checked all the same", async ({
  app,
  page,
  problems,
}) => {
  problems.expect(/request to another host|WebSocket|policy|WebAssembly|wasm/i);
  const proxy = await proxyTo(app.url, (policy) => policy.replace(" 'wasm-unsafe-eval'", ""));
  try {
    await page.goto(`${proxy.url}#/s/${session}`);
    const inspector = new InspectorPage(page);
    await inspector.verified();
    await expect(inspector.sentence()).toContainText("wins");
    await expect(inspector.verdict.locator('[data-count="passed"]')).toContainText("5");
    const refused = await page.evaluate(() =>
      WebAssembly.compile(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0])).then(
        () => false,
        () => true,
      ),
    );
    expect(refused).toBe(true);
  } finally {
    await proxy.close();
  }
});
