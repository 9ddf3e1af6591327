import { expect, it } from "@jest/globals";
import { localCheck } from "../../src/app/local-runner.ts";
import { checkOf, type ResolveWork } from "../../src/commands/resolve/resolve-work.ts";
import { sampleSettings } from "../fakes/sample-settings.ts";

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
