import { describe, expect, it } from "@jest/globals";
import { createForgetCommand } from "../../src/cli/forget-command.ts";
import type { CommandAnswer, CommandRequest } from "../../src/cli/requests.ts";
import { createAnswerer } from "../../src/cli/requests.ts";
import { runCli } from "../../src/cli/run-cli.ts";
import { MagisError } from "../../src/model/error.ts";
import type { RunArchive } from "../../src/ports/runs.ts";
import { nearestName } from "../../src/text/names.ts";
import { createFakeLog } from "../fakes/create-fake-log.ts";

function cli(answer: CommandAnswer | Error = { versions: 3 }) {
  const sent: CommandRequest[] = [];
  const send = async (request: CommandRequest) => {
    sent.push(request);
    if (answer instanceof Error) throw answer;
    return answer;
  };
  const context = { version: "1.2.3", signal: new AbortController().signal, progress: () => undefined };
  return { sent, run: (...words: string[]) => runCli(words, [createForgetCommand(send)], context) };
}

describe("magis forget", () => {
  it("asks for the repository and says what was deleted", async () => {
    const { run, sent } = cli();
    expect(await run("forget", "Acme/shop.js")).toEqual({
      exitCode: 0,
      text: "Deleted 3 summaries of files of Acme/shop.js.",
    });
    expect(sent).toEqual([{ command: "forget", owner: "Acme", name: "shop.js" }]);
    expect(await cli({ versions: 1 }).run("forget", "a/b")).toMatchObject({
      text: expect.stringContaining("1 summary"),
    });
    expect(await cli({ versions: 0 }).run("forget", "a/b")).toEqual({
      exitCode: 0,
      text: "Nothing was remembered of a/b.",
    });
  });

  it.each([[[]], [["shop"]], [["a/b/c"]], [["a/"]], [["/b"]], [["a/b", "c/d"]], [["a b/c"]]])(
    "%j is wrong usage, and asks for nothing",
    async (operands) => {
      const { run, sent } = cli();
      expect(await run("forget", ...operands)).toEqual({ exitCode: 2, text: expect.stringContaining("OWNER/REPO") });
      expect(sent).toEqual([]);
    },
  );

  it("fails with the sentence of what went wrong", async () => {
    expect(await cli({ fault: "It broke." }).run("forget", "a/b")).toEqual({ exitCode: 1, text: "It broke." });
    const away = new MagisError("DATABASE_UNAVAILABLE", "It is away.");
    expect(await cli(away).run("forget", "a/b")).toEqual({ exitCode: 1, text: "It is away." });
    await expect(cli(new Error("unexpected")).run("forget", "a/b")).rejects.toThrow("unexpected");
  });
});

describe("runCli", () => {
  it("shows help and the version", async () => {
    const help = { exitCode: 0, text: expect.stringMatching(/forget OWNER\/REPO[\s\S]*Exit codes: 0 done/) };
    for (const words of [["help"], ["--help"], ["-h"]]) expect(await cli().run(...words)).toEqual(help);
    const own = {
      exitCode: 0,
      text: expect.stringContaining("Usage: magis forget OWNER/REPO\n\nDelete the summaries"),
    };
    for (const words of [
      ["help", "forget"],
      ["forget", "--help"],
    ])
      expect(await cli().run(...words)).toEqual(own);
    expect(await cli().run()).toEqual({ ...help, exitCode: 2 });
    expect(await cli().run("--version")).toEqual({ exitCode: 0, text: "1.2.3" });
  });

  it("answers an unknown command with the nearest one, an unknown option with its name", async () => {
    expect(await cli().run("forgte", "a/b")).toEqual({ exitCode: 2, text: expect.stringContaining("mean forget?") });
    expect(await cli().run("deploy")).toEqual({ exitCode: 2, text: expect.not.stringContaining("mean") });
    expect(await cli().run("forget", "a/b", "--all")).toEqual({ exitCode: 2, text: expect.stringContaining("--all") });
  });
});

describe("nearestName", () => {
  it.each([
    ["forgte", "forget"],
    ["FORGET", "forget"],
    ["hlep", "help"],
    ["forg", "forget"],
    ["xyz", undefined],
    ["", undefined],
  ])("of %j is %j", (word, name) => {
    expect(nearestName(word, ["forget", "help"])).toBe(name);
  });
});

const NO_RUNS: RunArchive = {
  report: async () => undefined,
  latestReport: async () => undefined,
  latest: async () => [],
};

describe("createAnswerer", () => {
  const answer = (request: unknown, forget: () => Promise<number> = async () => 2) =>
    createAnswerer({ memory: { forget }, runs: NO_RUNS, log: createFakeLog().log })(request);

  it("checks the request, since it comes from another process", async () => {
    expect(await answer({ command: "forget", owner: "a", name: "b" })).toEqual({ versions: 2 });
    const wrong = [undefined, 1, {}, { command: "forget" }, { command: "drop", owner: "a", name: "b" }];
    for (const request of [...wrong, { command: "forget", owner: "a/b", name: "" }]) {
      expect(await answer(request)).toEqual({ fault: expect.stringContaining("does not know") });
    }
  });

  it("gives a failure as a sentence", async () => {
    const broken = () => Promise.reject(new Error("secret detail"));
    expect(await answer({ command: "forget", owner: "a", name: "b" }, broken)).toEqual({
      fault: "The database could not do it; the log says why.",
    });
  });
});
