import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import { createServer as createSocketServer } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, describe, expect, it } from "@jest/globals";
import { type CommandVerifierOptions, createCommandVerifier } from "../../../src/checks/local/command-verifier.ts";
import { openSandbox, type Sandbox } from "../../../src/checks/local/sandbox.ts";
import type { ProofVerdict } from "../../../src/data/verdict.ts";
import { verifierContract } from "../../contracts/verifier-contract.ts";
import { createFakeHost } from "../../fakes/create-fake-host.ts";

const opened = openSandbox();
const inside = "missing" in opened ? undefined : opened;
const SANDBOXES: readonly (readonly [string, Sandbox | undefined])[] = inside
  ? [
      ["off", undefined],
      ["bwrap", inside],
    ]
  : [["off", undefined]];

const home = mkdtempSync(join(tmpdir(), "magis-home-"));
afterAll(() => rmSync(home, { recursive: true, force: true }));

const bytes = (text: string) => new TextEncoder().encode(text);

function verifierOf(files: Readonly<Record<string, string>>, options: Partial<CommandVerifierOptions>) {
  const { openRepository, base } = createFakeHost(files);
  const verifier = createCommandVerifier({
    command: "node --test",
    repository: openRepository(),
    sandbox: undefined,
    environment: { ...process.env, HOME: home },
    limits: { minutes: 2, memoryMb: 2048 },
    ...options,
  });
  return { verifier, base: base.commit };
}

for (const [name, sandbox] of SANDBOXES) {
  verifierContract(`a command, sandbox ${name}`, async (project) => verifierOf(project, { sandbox }));
}

/** What a command says on a project of one file, and how it ended. */
async function said(command: string, options: Partial<CommandVerifierOptions> = {}) {
  const { verifier, base } = verifierOf({ "a.txt": "one\n" }, { command: `{ ${command}; } 2>&1; exit 1`, ...options });
  const verdict = await verifier.verify({ base, files: [] }, { ask: "base", tests: [] }, new AbortController().signal);
  return { verdict, words: wordsOf(verdict) };
}

const wordsOf = (verdict: ProofVerdict) => (verdict.kind === "other-red" ? verdict.words : verdict.kind);

const SECRET = {
  PATH: process.env.PATH,
  HOME: home,
  ANTHROPIC_API_KEY: "s3cret",
  GITHUB_TOKEN: "s3cret",
  NODE_OPTIONS: "s3cret",
};

describe.each(SANDBOXES)("a command that checks a change, sandbox %s", (name, sandbox) => {
  it("sees no secrets and no uncommitted files", async () => {
    const { words } = await said("env; ls -A; cat a.txt", { sandbox, environment: SECRET });
    expect(words).toContain("one");
    expect(words).not.toContain("s3cret");
  });

  it("is killed at its time limit with all it started, and then says nothing about the change", async () => {
    const mark = join(home, `late-${name}`);
    const { verdict } = await said(`(${leaving(sandbox)} sh -c 'sleep 4; touch ${mark}' &) ; sleep 60`, {
      sandbox,
      limits: { minutes: 1 / 60, memoryMb: 2048 },
    });
    expect(verdict).toMatchObject({ kind: "no-verdict", reason: "timed-out" });
    await nobodyWith(mark);
  });

  it("leaves no process running", async () => {
    const mark = `magis-left-${name}`;
    const sleeper = `sh -c 'cd /; sleep 50; : ${mark}' </dev/null >/dev/null 2>&1`;
    const ways = sandbox ? ["setsid", "env -i", "env -i setsid", "setsid env -i setsid", "nohup"] : ["env -i", "nohup"];
    await said(ways.map((way) => `(${way} ${sleeper} &)`).join("; "), { sandbox });
    await nobodyWith(mark);
  });

  it.each(["", "env -i ", "setsid -w "])("cannot take too much memory, also behind %j", async (before) => {
    const hungry = `${before}${process.execPath} -e 'const a=[]; setInterval(() => a.push(Buffer.alloc(2e7, 1)), 20)'`;
    const { words } = await said(`${hungry} && echo survived`, { sandbox, limits: { minutes: 1, memoryMb: 700 } });
    expect(words).toMatch(/memory|Memory|Array buffer allocation failed/);
    expect(words).not.toContain("survived");
  });

  it("cannot write files without end", async () => {
    const ways = ["", "env -i ", "setsid -w ", "sh -c 'ulimit -S -f unlimited; exec \"$@\"' sh "];
    const command = ways.map((way) => `${way}truncate -s 3G a.txt 2>/dev/null; echo "=$?"`).join("; ");
    const { words } = await said(command, { sandbox, limits: { minutes: 1, memoryMb: 256 } });
    expect(words.match(/^=\d+$/gm)).toHaveLength(ways.length);
    expect(words).not.toMatch(/^=0$/m);
  });

  it("is killed when it prints too much, and the end of the output is kept", async () => {
    const { words } = await said("yes", { sandbox });
    expect(words).toContain("too much output");
  });

  it("finds programs of installed dependencies when the search path leads to them", async () => {
    const beside = filled([]);
    const folder = join(beside, "node_modules", ".bin");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "ours"), "#!/bin/sh\necho found in $(basename $PWD) by $0\n", { mode: 0o755 });
    const environment = { PATH: [folder, process.env.PATH].join(delimiter), HOME: home };
    const { words } = await said("ours", { sandbox, beside, environment });
    expect(words).toMatch(/^found in copy by .*copy\/node_modules\/.bin\/ours$/m);
    rmSync(beside, { recursive: true });
  });

  it("finds installed dependencies, and the program they need", async () => {
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

/** Waits until no process is left with the mark: one that was killed is there until it is scheduled once more. */
async function nobodyWith(mark: string): Promise<void> {
  for (let tries = 0; tries < 500 && leftOver(mark).length > 0; tries += 1) await wait(20);
  expect(leftOver(mark)).toEqual([]);
}

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

/** Outside of a sandbox, what leaves its group is not found. */
const leaving = (sandbox: Sandbox | undefined) => (sandbox ? "setsid" : "nohup");

const inSandbox = inside ? describe : describe.skip;

inSandbox("the sandbox of a command", () => {
  it("has no network, no home directory, and nowhere to write but the copy", async () => {
    writeFileSync(join(home, "key"), "s3cret");
    const server = createServer((_, response) => response.end("reached"));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as { port: number };
    const get = `node -e 'fetch("http://127.0.0.1:${port}").then((r) => r.text()).then(console.log, () => console.log("unreachable"))'`;
    const options = { sandbox: inside, environment: SECRET } as const;
    const { words } = await said(`${get}; cat ${home}/key; touch /etc/x; echo written > here && cat here`, options);
    server.close();
    expect(words).toContain("unreachable");
    expect(words).not.toContain("s3cret");
    expect(words).toMatch(/Read-only|read-only/);
    expect(words).toContain("written");
  });

  it("shows installed dependencies read-only, and nothing else beside the copy", async () => {
    const secrets = [".env", ".npmrc", ".bundle/config", "config/.env", "vendor/../.netrc", "private/key"];
    const beside = filled(["node_modules/a/index.js", ...secrets]);
    symlinkSync(join(beside, "private"), join(beside, "vendor"));
    const command = "touch node_modules/x; find . -type f; cat vendor/key .env";
    const { words } = await said(command, { sandbox: inside, beside });
    expect(words).toMatch(/read-only/i);
    const there = words.split("\n").filter((line) => line.startsWith("./"));
    expect(there.sort()).toEqual(["./a.txt", "./node_modules/a/index.js"]);
    expect(words).not.toContain("s3cret");
    rmSync(beside, { recursive: true });
  });

  it("has a root with only the system, its own folders, and a home directory with known tools", async () => {
    const shown = [
      ".cargo/bin/cargo",
      ".cargo/registry/index/a",
      ".rustup/toolchains/stable/bin/rustc",
      ".m2/repository/a.jar",
      ".nvm/versions/node/v1/bin/node",
      ".nvm/versions/node/v1/lib/node_modules/npm/a.js",
      "tools/run",
      "asked/file",
      ".gem/ruby/3.3/a.rb",
      "go/pkg/mod/a.go",
    ];
    const hidden = [
      ".cargo/credentials.toml",
      ".cargo/config.toml",
      ".rustup/secrets",
      ".m2/settings.xml",
      ".npmrc",
      ".netrc",
      ".nvm/versions/node/v1/etc/npmrc",
      ".nvm/.env",
      ".config/gh/hosts.yml",
      ".ssh/id_ed25519",
      ".gem/credentials",
      ".hex/hex.config",
      ".docker/config.json",
      ".pypirc",
      ".gradle/gradle.properties",
      ".local/share/keyrings/a",
      "go/env",
      "project/.env",
      ".nuget/packages/a",
      "tools/.env",
      "checkout/.env",
      "checkout/lib/a",
      "checkout/bin/a",
    ];
    const own = filled([...shown, ...hidden]);
    const search = [".cargo/bin", ".nvm/versions/node/v1/bin", "tools", "checkout/bin", "checkout", ".", ""].map(
      (one) => join(own, one),
    );
    const { openRepository, base } = createFakeHost({ "Cargo.toml": "", "pom.xml": "", Gemfile: "", "go.mod": "" });
    const verifier = createCommandVerifier({
      repository: openRepository(),
      sandbox: inside,
      asked: [join(own, "asked")],
      beside: join(own, "checkout"),
      command: `cd ${own}; find . -type f; ls -A / | tr '\\n' ' '; exit 1`,
      environment: { PATH: [...search, ".", "", "/usr/bin", "/bin"].join(delimiter), HOME: own },
      limits: { minutes: 1, memoryMb: 1024 },
    });
    const { signal } = new AbortController();
    const verdict = await verifier.verify({ base: base.commit, files: [] }, { ask: "base", tests: [] }, signal);
    const lines = wordsOf(verdict).split("\n");
    expect(lines.filter((line) => line.startsWith("./")).sort()).toEqual(shown.map((one) => `./${one}`).sort());
    const root = (lines.find((line) => line.startsWith("bin ")) ?? "").trim().split(" ");
    const expected = [
      "bin",
      "dev",
      "etc",
      "gnu",
      "home",
      "lib",
      "lib32",
      "lib64",
      "libx32",
      "nix",
      "proc",
      "sbin",
      "tmp",
    ];
    expect(root.filter((one) => ![...expected, "usr", "var"].includes(one))).toEqual([]);
    rmSync(own, { recursive: true });
  });

  it("cannot change the kernel, reach sockets outside, or make namespaces", async () => {
    const server = createSocketServer((socket) => socket.end("reached"));
    const name = `\0magis-${process.pid}`;
    await new Promise<void>((resolve) => server.listen(name, resolve));
    const get = `node -e 'require("net").connect("\\0${name.slice(1)}").on("data", (d) => console.log(String(d))).on("error", () => console.log("no socket"))'`;
    // Whether it may be written is asked, never tried: it is this machine's.
    const ask = "for one in kernel/core_pattern vm/drop_caches; do test -w /proc/sys/$one && echo open; done";
    const command = `${get}; ${ask}; grep -c '^proc /proc proc ro,' /proc/self/mounts; unshare -U echo made; ls -A /run; grep CapEff /proc/self/status`;
    const { words } = await said(command, { sandbox: inside });
    server.close();
    expect(words).toContain("no socket");
    expect(words).not.toMatch(/reached|open|^made/m);
    expect(words).toMatch(/^1$/m);
    expect(words).toMatch(/CapEff:\s*0+$/m);
    expect(words).toContain("'/run'");
  });

  it.each(["/tmp", "/dev/shm", "$HOME"])("cannot fill %s", async (place) => {
    const { words } = await said(`dd if=/dev/zero of="${place}/x" bs=1M count=300`, {
      sandbox: inside,
      limits: { minutes: 1, memoryMb: 256 },
    });
    expect(words).toMatch(/No space left/i);
  });

  const asPerson = process.getuid?.() === 0 ? it.skip : it;

  asPerson("cannot start processes without end", async () => {
    const command = "at=0; while [ $at -lt 80 ]; do at=$((at+1)); (sleep 60 &); done; echo all";
    const { words } = await said(command, { sandbox: inside, limits: { minutes: 1, memoryMb: 2048, threads: 60 } });
    expect(words).toMatch(/[Cc]annot fork/);
  });

  it("cannot lift its limits", async () => {
    const lift = ["c", "d", "f", "n"]
      .map((letter) => `(ulimit -H -${letter} unlimited 2>/dev/null && echo lifted)`)
      .join("; ");
    const { words } = await said(`${lift}; echo tried`, { sandbox: inside });
    expect(words).toContain("tried");
    expect(words).not.toContain("lifted");
  });
});

/** A folder with these files, each of which holds a secret. */
function filled(files: readonly string[]): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "magis-filled-")));
  for (const file of files) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), "s3cret", { mode: 0o755 });
  }
  return folder;
}

it("knows no sandbox but the system's own", () => {
  const foreign = filled(["bwrap"]);
  const before = process.cwd();
  process.chdir(foreign);
  expect(openSandbox([join(home, "no-programs")])).toEqual({ missing: "bwrap (bubblewrap) is not there" });
  process.chdir(before);
  expect(openSandbox([foreign])).toEqual({ missing: expect.stringContaining("bwrap does not work here") });
  rmSync(foreign, { recursive: true });
});

it("removes its copy, and writes no path outside it", async () => {
  const { verifier, base } = verifierOf({ "a.txt": "one\n" }, { command: "true" });
  const { signal } = new AbortController();
  const outside = [{ path: "../../x", content: bytes("x") }];
  await expect(verifier.verify({ base, files: outside }, { ask: "base", tests: [] }, signal)).rejects.toThrow(
    "no path",
  );
});
