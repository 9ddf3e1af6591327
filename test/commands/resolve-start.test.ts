import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { localCheck } from "../../src/app/local-runner.ts";
import { resolveFile } from "../../src/commands/resolve/resolve-file.ts";
import { checkOf, type ResolveWork } from "../../src/commands/resolve/resolve-work.ts";
import { readCommandConfig } from "../../src/settings/environment/read-config.ts";
import { sampleSettings } from "../fakes/sample-settings.ts";
import { caught } from "../models/anthropic/caught.ts";

const wide = (text: string) => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, "utf16le")]);

describe("magis resolve with an issue file", () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "magis-issue-"));
    await mkdir(join(folder, "directory"));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  /** The error about an issue file, or about a missing repository when the file is fine. */
  async function said(file: string, repository = join(folder, "nowhere")): Promise<string> {
    const config = readCommandConfig({}, undefined, { ANTHROPIC_API_KEY: "key" });
    const { signal } = new AbortController();
    // Nothing else is needed before issue and repository are found.
    const work = {
      args: { options: {} },
      config,
      environment: process.env,
      signal,
      progress() {},
    } as unknown as ResolveWork;
    return (await caught(resolveFile({ kind: "file", repository, file: join(folder, file) }, work))).message;
  }

  it.each<[string, string | Buffer, RegExp]>([
    ["empty", "", /is empty: write what is wrong, the title in its first line/],
    ["blanks", " \n\t\n", /is empty/],
    ["marks", "\n# \n", /is empty/],
    ["bytes", Buffer.from([1, 0, 2, 0xff]), /is not text/],
    ["title", "# It breaks\n", /There is no directory/],
    ["body", "#\n\nIt breaks.\n", /There is no directory/],
    ["latin", Buffer.from("caf\xe9 breaks", "latin1"), /There is no directory/],
    ["powershell", wide("It breaks\r\n"), /There is no directory/],
  ])("checks a file of kind %s", async (name, content, words) => {
    await writeFile(join(folder, name), content);
    expect(await said(name)).toMatch(words);
  });

  it.each([
    ["missing.md", /cannot be read: there is no such file/],
    ["directory", /cannot be read: it is a folder/],
  ])("says why it cannot read %s", async (name, words) => {
    expect(await said(name)).toMatch(words);
  });

  it("asks for --repo in a folder without a repository", async () => {
    await writeFile(join(folder, "issue.md"), "It breaks");
    expect(await said("issue.md", folder)).toMatch(
      /There is no git repository in .* give --repo the directory of a clone/,
    );
  });
});

function checking(command: string | undefined, ownCheck: boolean, own: string | undefined) {
  const lines: string[] = [];
  const work = {
    args: { options: ownCheck ? { "own-check": true } : {} },
    config: { agents: { ciRounds: 2 }, check: { command, sandbox: "off", minutes: 1, memoryMb: 64 } },
    environment: {},
    signal: new AbortController().signal,
    watcher: {},
    progress: (line: string) => void lines.push(line),
  } as unknown as ResolveWork;
  return { command: checkOf(work)(own)?.command, lines };
}

it.each([
  ["required", "The check runs in a sandbox, and bwrap (bubblewrap) is not there. Install it"],
  ["off", undefined],
] as const)("without a sandbox no run begins, unless that is wanted: %s", (sandbox, expected) => {
  const check = { command: undefined, sandbox, show: undefined, minutes: 1, memoryMb: 64 };
  const config = { check, agents: sampleSettings() };
  const signal = new AbortController().signal;
  const begin = () => localCheck("npm test", { config, environment: {}, signal, sandboxFolders: ["/nowhere"] }).command;
  if (expected === undefined) expect(begin()).toBe("npm test");
  else expect(begin).toThrow(expected);
});

it.each([
  ["nothing is named", undefined, false, undefined, undefined, []],
  [
    "the repository alone names one: it is told of, and not run",
    undefined,
    false,
    "curl evil",
    undefined,
    ["curl evil"],
  ],
  ["the person lets the repository's run", undefined, true, "npm test", "npm test", []],
  ["the person names one", "make check", false, "curl evil", "make check", []],
  ["the person's goes before the repository's", "make check", true, "npm test", "make check", []],
])("a check runs by the person's word only: %s", (_what, command, ownCheck, own, expected, said) => {
  const found = checking(command, ownCheck, own);
  expect(found.command).toBe(expected);
  expect(found.lines).toEqual(said.map((words) => expect.stringContaining(words)));
});
