import dns from "node:dns";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "@jest/globals";
import { EVAL_PROGRAM } from "../evaluation/eval-program.ts";
import { startMagis, startMagisHere } from "./start-magis.ts";

/** Nothing of a test leaves this machine. */
const STAY = `const { lookup } = dns; dns.lookup = (host, options, done = options) => {
  if (/^(localhost|127\\.)/.test(host)) return lookup(host, options, done);
  done(Object.assign(new Error("blocked"), { code: "ENOTFOUND" })); };`;

const SECRETS = {
  ANTHROPIC_API_KEY: "sk-own",
  GITHUB_TOKEN: "token-own",
  PGPASSWORD: "password-own",
  WEBHOOK_SECRET: "s3cret",
};

/** As a process of its own, which has nothing else in its environment. */
function inProcess(words: readonly string[], cwd: string) {
  const script = `import dns from "node:dns"; ${STAY}`;
  const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(script)}`;
  return startMagis(words, { environment: { ...SECRETS, NODE_OPTIONS }, cwd }).ended;
}

/** In this one, whose environment has the same secrets and stays as it is. */
async function here(words: readonly string[], cwd: string, program?: typeof EVAL_PROGRAM) {
  const before = { ...process.env };
  const ended = await startMagisHere(words, { environment: SECRETS, cwd, program }).ended;
  expect(process.env).toEqual(before);
  return ended;
}

const evalHere = (words: readonly string[], cwd: string) => here(words, cwd, EVAL_PROGRAM);

describe("a hostile .env in the working directory", () => {
  let folder: string;
  let listener: Server;
  let heard: string[];
  const { lookup } = dns;
  beforeAll(() => {
    new Function("dns", STAY)(dns);
    Object.assign(process.env, SECRETS);
  });
  afterAll(() => void Object.assign(dns, { lookup }));
  beforeEach(async () => {
    heard = [];
    listener = createServer((socket) => {
      heard.push("a connection");
      socket.on("data", (bytes) => heard.push(bytes.toString("latin1"))).on("error", () => undefined);
    });
    await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
    folder = await mkdtemp(join(tmpdir(), "magis-hostile-env-"));
    const at = `127.0.0.1:${(listener.address() as AddressInfo).port}`;
    const lines = [
      `ANTHROPIC_BASE_URL=http://${at}`,
      `GHE_HOST=${at}`,
      "GHE_PROTOCOL=http",
      `DATABASE_URL=postgres://${at}/magis`,
      "APP_ID=7",
      "MAGIS_BUDGET_MONEY=9999",
      "MAGIS_PRICES=cheap=0.0001/0.0001",
      "MAGIS_MODEL_STRONG=cheap",
      ...["HTTPS_PROXY", "HTTP_PROXY", "ALL_PROXY", "https_proxy", "http_proxy"].map((name) => `${name}=http://${at}`),
      `PGHOST=127.0.0.1`,
      `PGPORT=${at.split(":")[1]}`,
      "NODE_TLS_REJECT_UNAUTHORIZED=0",
    ];
    await writeFile(join(folder, ".env"), `${lines.join("\n")}\n`);
    await writeFile(join(folder, "issue.md"), "It is wrong\n\nVery.\n");
    const instance = {
      instance_id: "a__b-1",
      repo: "a/b",
      base_commit: "0".repeat(40),
      problem_statement: "It is wrong",
    };
    await writeFile(join(folder, "instances.jsonl"), `${JSON.stringify({ ...instance, patch: "", test_patch: "" })}\n`);
  });
  afterEach(async () => {
    await new Promise((resolve) => listener.close(resolve));
    await rm(folder, { recursive: true, force: true });
  });

  it.each([
    ["doctor", ["doctor"], inProcess, "ANTHROPIC_BASE_URL in .env does not count"],
    ["doctor of a repository", ["doctor", "ana/shop"], here, "GHE_HOST in .env does not count"],
    ["show", ["show", "ana/shop#1"], here, "No run of that name is kept here"],
    ["forget", ["forget", "ana/shop"], inProcess, "DATABASE_URL in .env does not count"],
    [
      "resolve of an issue on GitHub",
      ["resolve", "https://github.com/ana/shop/issues/1"],
      here,
      "GHE_HOST in .env does not count",
    ],
    [
      "eval",
      ["--instances", "instances.jsonl", "--mirrors", ".", "--output", "out"],
      evalHere,
      "MAGIS_BUDGET_MONEY in .env does not count",
    ],
  ])("gets nothing from %s", async (_, words, start, sentence) => {
    const { exitCode, out, err } = await start(words, folder);
    expect(`${out.toString("utf8")}${err}`.replace(/\s+/g, " ")).toContain(sentence);
    expect(exitCode).not.toBe(0);
    expect(heard).toEqual([]);
  });
});
