import { expect, it } from "@jest/globals";
import { checkOf, type ResolveWork } from "../../src/wire/resolve/resolve-work.ts";

function checking(command: string | undefined, runs: ResolveWork["args"]["check"]["runs"], own: string | undefined) {
  const lines: string[] = [];
  const work = {
    args: { check: { runs } },
    config: {
      check: { command, rounds: 2, sandbox: "off", minutes: 1, memoryMb: 64 },
    },
    environment: {},
    signal: new AbortController().signal,
    watcher: {},
    progress: (line: string) => void lines.push(line),
  } as unknown as ResolveWork;
  return { command: checkOf(work)(own)?.command, lines };
}

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
  const found = checking(command, ownCheck ? "also the repository's" : "the person's", own);
  expect(found.command).toBe(expected);
  expect(found.lines).toEqual(said.map((words) => expect.stringContaining(words)));
});
