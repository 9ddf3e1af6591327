import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it } from "@jest/globals";
import { type CommandVerifierOptions, createCommandVerifier } from "../../src/adapters/command-verifier.ts";
import { openSandbox } from "../../src/adapters/sandbox.ts";
import type { ProofVerdict } from "../../src/model/verdict.ts";
import { verifierContract } from "../contracts/verifier-contract.ts";
import { createFakeHost } from "../fakes/create-fake-host.ts";

const isThere = !("missing" in openSandbox());
const SANDBOXES = isThere ? (["off", "required"] as const) : (["off"] as const);

const home = mkdtempSync(join(tmpdir(), "magis-home-"));
afterAll(() => rmSync(home, { recursive: true, force: true }));

const bytes = (text: string) => new TextEncoder().encode(text);

function verifierOf(files: Readonly<Record<string, string>>, options: Partial<CommandVerifierOptions>) {
  const { openRepository, base } = createFakeHost(files);
  const warnings: string[] = [];
  const verifier = createCommandVerifier({
    ...{ command: "node --test", repository: openRepository(), sandbox: "off" },
    environment: { ...process.env, HOME: home },
    limits: { minutes: 2, memoryMb: 2048 },
    warn: (sentence) => warnings.push(sentence),
    ...options,
  });
  return { verifier, base: base.commit, warnings };
}

for (const sandbox of SANDBOXES) {
  verifierContract(`a command, sandbox ${sandbox}`, async (project) => verifierOf(project, { sandbox }));
}

/** What a command says on a project of one file, and how it ended. */
async function said(command: string, options: Partial<CommandVerifierOptions> = {}) {
  const { verifier, base, warnings } = verifierOf(
    { "a.txt": "one\n" },
    { command: `{ ${command}; } 2>&1; exit 1`, ...options },
  );
  const verdict = await verifier.verify({ base, files: [] }, { ask: "base", tests: [] }, new AbortController().signal);
  return { verdict, warnings, words: wordsOf(verdict) };
}

const wordsOf = (verdict: ProofVerdict) => (verdict.kind === "other-red" ? verdict.words : verdict.kind);

const SECRET = {
  PATH: process.env.PATH,
  HOME: home,
  ANTHROPIC_API_KEY: "s3cret",
  GITHUB_TOKEN: "s3cret",
  NODE_OPTIONS: "s3cret",
};

describe.each(SANDBOXES.map((one) => [one]))("a command that checks a change, sandbox %s", (sandbox) => {
  it("sees no secret, and none of the person's files that are not committed", async () => {
    const { words } = await said("env; ls -A; cat a.txt", { sandbox, environment: SECRET });
    expect(words).toContain("one");
    expect(words).not.toContain("s3cret");
  });

  it("is ended at its time, with all that it has started, and says nothing of the change then", async () => {
    const mark = join(home, `late-${sandbox}`);
    const { verdict } = await said(`(setsid sh -c 'sleep 4; touch ${mark}' &) ; sleep 60`, {
      sandbox,
      limits: { minutes: 1 / 60, memoryMb: 2048 },
    });
    expect(verdict).toMatchObject({ kind: "no-verdict", reason: "timed-out" });
    expect(leftOver(mark)).toEqual([]);
  });

  it("leaves nothing running behind it", async () => {
    const mark = `magis-left-${sandbox}`;
    await said(`(setsid sh -c 'exec -a ${mark} sleep 50 2>/dev/null || sleep 50 # ${mark}' &)`, { sandbox });
    expect(leftOver(mark)).toEqual([]);
  });

  it("is ended when it takes too much memory", async () => {
    const hungry = `node -e 'const a=[]; setInterval(() => a.push(Buffer.alloc(2e7, 1)), 20)'`;
    const { words } = await said(hungry, { sandbox, limits: { minutes: 1, memoryMb: 300 } });
    expect(words).toContain("too much memory");
  });

  it("is ended when it says too much, and the end of it is kept", async () => {
    const { words } = await said("yes", { sandbox });
    expect(words).toContain("too much output");
  });

  it("finds what is installed beside the repository, and a program for it", async () => {
    const beside = mkdtempSync(join(tmpdir(), "magis-beside-"));
    const file = join(beside, "node_modules", "three", "index.js");
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, "module.exports = 3;\n");
    const { words } = await said('node -e \'console.log("got", require("three"))\'', { sandbox, beside });
    expect(words).toContain("got 3");
    expect(existsSync(file)).toBe(true);
    rmSync(beside, { recursive: true });
  });
});

/** Processes whose command line holds the mark. */
const leftOver = (mark: string) =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(mark);
      } catch {
        return false;
      }
    });

const inSandbox = SANDBOXES.includes("required" as never) ? describe : describe.skip;

inSandbox("the sandbox of a command", () => {
  it("has no network, and neither the home directory nor a place to write beside the copy", async () => {
    writeFileSync(join(home, "key"), "s3cret");
    const server = createServer((_, response) => response.end("reached"));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as { port: number };
    const get = `node -e 'fetch("http://127.0.0.1:${port}").then((r) => r.text()).then(console.log, () => console.log("unreachable"))'`;
    const options = { sandbox: "required", environment: SECRET } as const;
    const { words } = await said(`${get}; cat ${home}/key; touch /etc/x; echo written > here && cat here`, options);
    server.close();
    expect(words).toContain("unreachable");
    expect(words).not.toContain("s3cret");
    expect(words).toMatch(/Read-only|read-only/);
    expect(words).toContain("written");
  });

  it("shows what is installed to be read only", async () => {
    const beside = mkdtempSync(join(tmpdir(), "magis-beside-"));
    mkdirSync(join(beside, "node_modules"));
    const { words } = await said("touch node_modules/x", { sandbox: "required", beside });
    expect(words).toMatch(/read-only/i);
    rmSync(beside, { recursive: true });
  });
});

describe("a sandbox that is not there", () => {
  const sandboxFolders = [join(home, "no-programs")];

  it("is named in a warning, once, and done without", async () => {
    const { warnings, words } = await said("echo hello", { sandbox: "auto", sandboxFolders });
    expect(words).toContain("hello");
    expect(warnings).toEqual([expect.stringContaining("bwrap (bubblewrap) is not there")]);
  });

  it("is a fault where it is required", () => {
    expect(() => verifierOf({}, { sandbox: "required", sandboxFolders })).toThrow("bwrap (bubblewrap) is not there");
  });
});

it("leaves no copy behind, and writes no path outside of it", async () => {
  const { verifier, base } = verifierOf({ "a.txt": "one\n" }, { command: "true" });
  const { signal } = new AbortController();
  const outside = [{ path: "../../x", content: bytes("x") }];
  await expect(verifier.verify({ base, files: outside }, { ask: "base", tests: [] }, signal)).rejects.toThrow(
    "no path",
  );
});
