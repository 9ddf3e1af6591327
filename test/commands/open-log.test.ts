import { Writable } from "node:stream";
import { describe, expect, it } from "@jest/globals";
import { firstLine, openLog } from "../../src/app/open-log.ts";
import { MagisError } from "../../src/data/error.ts";

function target(isTTY: boolean, colours = false) {
  let text = "";
  const stream = new Writable({
    write(chunk: Buffer, _, done) {
      text += chunk.toString("utf8");
      done();
    },
  });
  return { stream: Object.assign(stream, { isTTY, hasColors: () => colours }), text: () => text };
}

const github = { webUrl: "https://ghe.example" };
const models = { strong: "claude-strong", fast: "claude-fast" };
const line = (database: { url?: string; dataDir: string }) =>
  firstLine({ github, model: { models }, database } as Parameters<typeof firstLine>[0]);

describe("the server's log", () => {
  it("is JSON where there is no terminal", async () => {
    const { stream, text } = target(false);
    const log = await openLog("info", stream);
    log.warn({ run: "r-1", error: new MagisError("HOST_NOT_FOUND", "It is gone.") }, "a run failed");
    log.debug({}, "not told");
    const lines = text().trimEnd().split("\n");
    expect(lines.map((one) => JSON.parse(one))).toMatchObject([
      { level: 40, msg: "a run failed", run: "r-1", error: { code: "HOST_NOT_FOUND", message: "It is gone." } },
    ]);
  });

  it("is text on a terminal, in colours where it has them", async () => {
    const plain = target(true);
    (await openLog("info", plain.stream)).info({ port: 3000 }, "listening on port 3000");
    expect(plain.text()).toMatch(/^\[\d\d:\d\d:\d\d\] INFO: listening on port 3000\n {4}port: 3000\n$/);
    const coloured = target(true, true);
    (await openLog("info", coloured.stream)).info({}, "hello");
    expect(coloured.text()).toContain("\u001b[3");
  });

  it("lets nothing that others have written control the terminal", async () => {
    const { stream, text } = target(true);
    const log = await openLog("info", stream);
    const hostile = "\u001b[2J\u009b1mx\u001b]0;title\u0007\u202ey";
    const error = new Error(hostile);
    error.stack = `Error: ${hostile}\n    at ${hostile}`;
    log.error({ error, branch: hostile, [hostile]: { deep: [hostile] } }, `${hostile}\nINFO: all is well`);
    expect(text()).not.toMatch(/[^\P{Cc}\n]/u);
    expect(text()).not.toContain("\u202e");
    expect(text()).not.toMatch(/^INFO/m);
  });

  it("begins with version, host, models and database", () => {
    const [data, sentence] = line({ dataDir: "/var/lib/magis" });
    expect(sentence).toMatch(
      /^MAGIS \d+\.\d+\.\d+ for https:\/\/ghe\.example, models claude-strong and claude-fast, embedded database in \/var/,
    );
    expect(data).toMatchObject({ host: "https://ghe.example", models, version: expect.stringMatching(/^\d/) });
  });

  it.each([
    ["postgres://ana:hunter2@db.example:5432/magis?sslmode=require", "PostgreSQL at db.example:5432"],
    ["postgres://db.example/magis?user=ana&password=hunter2", "PostgreSQL at db.example"],
    ["postgresql:///magis?host=/var/run/hunter2", "PostgreSQL"],
    ["postgres://ana:hunter2@one.example:1,two.example:2/magis", "PostgreSQL"],
    ["host=x password=hunter2", "PostgreSQL"],
  ])("names the kind of %s and nothing secret", (url, named) => {
    const said = line({ url, dataDir: "/" });
    expect(said[0]).toMatchObject({ database: named });
    expect(JSON.stringify(said)).not.toContain("hunter2");
  });
});
