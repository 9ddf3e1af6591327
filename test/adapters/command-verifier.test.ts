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
    command: "node --test",
    repository: openRepository(),
    sandbox: "off",
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
  it("sees no secrets and no uncommitted files", async () => {
    const { words } = await said("env; ls -A; cat a.txt", { sandbox, environment: SECRET });
    expect(words).toContain("one");
    expect(words).not.toContain("s3cret");
  });

  it("is killed at its time limit with all it started, and then says nothing about the change", async () => {
    const mark = join(home, `late-${sandbox}`);
    const { verdict } = await said(`(setsid sh -c 'sleep 4; touch ${mark}' &) ; sleep 60`, {
      sandbox,
      limits: { minutes: 1 / 60, memoryMb: 2048 },
    });
    expect(verdict).toMatchObject({ kind: "no-verdict", reason: "timed-out" });
    expect(leftOver(mark)).toEqual([]);
  });

  it("leaves no process running", async () => {
    const mark = `magis-left-${sandbox}`;
    const sleeper = `sh -c 'cd /; sleep 50; : ${mark}' </dev/null >/dev/null 2>&1`;
    const ways = ["setsid", "env -i", "env -i setsid", "setsid env -i setsid", "nohup"];
    await said(ways.map((way) => `(${way} ${sleeper} &)`).join("; "), { sandbox });
    expect(leftOver(mark)).toEqual([]);
  });

  it.each(["", "env -i ", "setsid -w "])("is killed when it takes too much memory, also behind %j", async (before) => {
    const hungry = `${before}${process.execPath} -e 'const a=[]; setInterval(() => a.push(Buffer.alloc(2e7, 1)), 20)'`;
    const { words } = await said(hungry, { sandbox, limits: { minutes: 1, memoryMb: 300 } });
    expect(words).toContain("too much memory");
  });

  it.each(["", "env -i ", "setsid ", "env -i setsid sh -c 'exec env -i setsid \"$@\"' sh "])(
    "is ended when it starts too many processes, behind %j too",
    async (before) => {
      const one = `${before}sh -c '(sleep 60 &) & wait'`;
      const command = `at=0; while [ $at -lt 80 ]; do at=$((at+1)); (${one} &); done; sleep 60`;
      const { words } = await said(command, { sandbox, limits: { minutes: 1, memoryMb: 2048, threads: 60 } });
      expect(words).toMatch(/too many processes and threads|[Cc]annot fork/);
    },
  );

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
  it("has no network, no home directory, and nowhere to write but the copy", async () => {
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

  it("shows installed dependencies read-only, and nothing else beside the copy", async () => {
    const secrets = [".env", ".npmrc", ".bundle/config", "config/.env", "vendor/../.netrc", "private/key"];
    const beside = filled(["node_modules/a/index.js", ...secrets]);
    symlinkSync(join(beside, "private"), join(beside, "vendor"));
    const command = "touch node_modules/x; find . -type f; cat vendor/key .env";
    const { words } = await said(command, { sandbox: "required", beside });
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
      sandbox: "required",
      asked: [join(own, "asked")],
      warn: () => undefined,
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
    const { words } = await said(command, { sandbox: "required" });
    server.close();
    expect(words).toContain("no socket");
    expect(words).not.toMatch(/reached|open|^made/m);
    expect(words).toMatch(/^1$/m);
    expect(words).toMatch(/CapEff:\s*0+$/m);
    expect(words).toContain("'/run'");
  });

  it.each([
    ["/tmp", "dd if=/dev/zero of=/tmp/x bs=1M count=600"],
    ["/dev/shm and the home directory", "for one in /dev/shm ~; do dd if=/dev/zero of=$one/x bs=1M count=200; done"],
  ])("counts what it writes to %s as memory", async (_, write) => {
    const { words } = await said(`${write}; sleep 20; echo survived`, {
      sandbox: "required",
      limits: { minutes: 1, memoryMb: 256 },
    });
    expect(words).toContain("too much memory");
    expect(words).not.toContain("survived");
  });

  const needs = (program: string) => (existsSync(program) ? it : it.skip);

  needs("/usr/bin/python3").each([
    [
      "a file without a name, in a process of its own",
      `import os,time
f=os.memfd_create("x")
for _ in range(600): os.write(f, b"x"*1048576)
time.sleep(20); print("survived")`,
    ],
    [
      "empty files",
      `i=0
while True: open("/tmp/%d"%i,"w").close(); i+=1`,
    ],
    [
      "memory that it shares with nobody after two forks",
      `import os,time,mmap
if os.fork(): time.sleep(20); print("survived"); os._exit(0)
os.setsid()
if os.fork(): os._exit(0)
m=mmap.mmap(-1, 629145600)
for at in range(0, len(m), 4096): m[at]=1
time.sleep(20)`,
    ],
  ])("counts %s as memory", async (_, program) => {
    const command = `cat >/tmp/a.py <<'END'\n${program}\nEND\nenv -i setsid -w /usr/bin/python3 /tmp/a.py`;
    const { words } = await said(command, { sandbox: "required", limits: { minutes: 2, memoryMb: 256 } });
    expect(words).toContain("too much memory");
    expect(words).not.toContain("survived");
  });

  needs("/usr/bin/perl")("makes no large segment of System V memory, which nobody would see", async () => {
    const make = (bytes: number) =>
      `perl -e 'print defined shmget(0, ${bytes}, 0600 | 512) ? "made" : "refused", "\n"'`;
    const { words } = await said(`${make(56)}; ${make(100_000_000)}`, { sandbox: "required" });
    expect(words).toMatch(/made\nrefused/);
  });

  it("cannot lift its limits", async () => {
    const lift = ["c", "f", "n"]
      .map((letter) => `(ulimit -H -${letter} unlimited 2>/dev/null && echo lifted)`)
      .join("; ");
    const { words } = await said(`${lift}; echo tried`, { sandbox: "required" });
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

describe("a missing sandbox", () => {
  const sandboxFolders = [join(home, "no-programs")];

  it("is reported in one warning, and the command runs without it", async () => {
    const { warnings, words } = await said("echo hello", { sandbox: "auto", sandboxFolders });
    expect(words).toContain("hello");
    expect(warnings).toEqual([expect.stringContaining("bwrap (bubblewrap) is not there")]);
  });

  it("is not searched for on the search path", async () => {
    const mark = join(home, "foreign");
    const foreign = filled([]);
    writeFileSync(join(foreign, "bwrap"), `#!/bin/sh\ntouch ${mark}\n`, { mode: 0o755 });
    const before = process.cwd();
    process.chdir(foreign);
    const search = [foreign, ".", "", process.env.PATH].join(delimiter);
    await said("true", { sandbox: "auto", environment: { PATH: search, HOME: home } });
    process.chdir(before);
    expect(existsSync(mark)).toBe(false);
    rmSync(foreign, { recursive: true });
  });

  it("is an error when it is required", () => {
    expect(() => verifierOf({}, { sandbox: "required", sandboxFolders })).toThrow("bwrap (bubblewrap) is not there");
  });
});

it("removes its copy, and writes no path outside it", async () => {
  const { verifier, base } = verifierOf({ "a.txt": "one\n" }, { command: "true" });
  const { signal } = new AbortController();
  const outside = [{ path: "../../x", content: bytes("x") }];
  await expect(verifier.verify({ base, files: outside }, { ask: "base", tests: [] }, signal)).rejects.toThrow(
    "no path",
  );
});
