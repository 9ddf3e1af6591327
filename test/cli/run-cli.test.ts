import { describe, expect, it } from "@jest/globals";
import { z } from "zod";
import type { CliCommand, CliInput, CliOption } from "../../src/cli/cli-command.ts";
import { createForgetCommand } from "../../src/cli/forget-command.ts";
import type { CommandAnswer, CommandRequest } from "../../src/cli/requests.ts";
import { createAnswerer } from "../../src/cli/requests.ts";
import { runCli } from "../../src/cli/run-cli.ts";
import { MagisError } from "../../src/model/error.ts";
import type { RunArchive } from "../../src/ports/runs.ts";
import { createFakeLog } from "../fakes/create-fake-log.ts";
import { EMPTY_LEDGER } from "../fakes/empty-ledger.ts";

const TRY_OPTIONS = [
  {
    name: "level",
    argument: "N",
    description: "how much",
    shape: z
      .string()
      .regex(/^[1-9]$/, "must be a digit from 1")
      .transform(Number),
  },
  { name: "kind", argument: "KIND", description: "which", choices: ["big", "small"] },
  { name: "no-model", description: "without a model" },
  { name: "dry", description: "do nothing" },
] as const satisfies readonly CliOption[];

function cli({ answer = { versions: 3 }, columns }: { answer?: CommandAnswer | Error; columns?: number } = {}) {
  const sent: CommandRequest[] = [];
  const given: CliInput<typeof TRY_OPTIONS>[] = [];
  const send = async (request: CommandRequest) => {
    sent.push(request);
    if (answer instanceof Error) throw answer;
    return answer;
  };
  const attempt: CliCommand<typeof TRY_OPTIONS> = {
    name: "try",
    description: "try it",
    options: TRY_OPTIONS,
    operand: { name: "WHAT", description: "what to try", required: false },
    run: async (input) => {
      given.push(input);
      return { exitCode: 0, text: "" };
    },
  };
  const context = {
    version: "1.2.3",
    signal: new AbortController().signal,
    progress: () => undefined,
    columns,
  };
  return { sent, given, run: (...args: string[]) => runCli(args, [createForgetCommand(send), attempt], context) };
}

describe("magis forget", () => {
  it("asks for the repository and says what was deleted", async () => {
    const { run, sent } = cli();
    expect(await run("forget", "Acme/shop.js")).toEqual({
      exitCode: 0,
      text: "Deleted 3 summaries of files of Acme/shop.js.",
    });
    expect(sent).toEqual([{ command: "forget", owner: "Acme", name: "shop.js" }]);
    expect(await cli({ answer: { versions: 1 } }).run("forget", "a/b")).toMatchObject({
      text: expect.stringContaining("1 summary"),
    });
    expect(await cli({ answer: { versions: 0 } }).run("forget", "a/b")).toEqual({
      exitCode: 0,
      text: "Nothing was remembered of a/b.",
    });
  });

  it.each([[[]], [["shop"]], [["a/b/c"]], [["a/"]], [["/b"]], [["a/b", "c/d"]], [["a b/c"]]])(
    "%j is wrong usage, and asks for nothing",
    async (operands) => {
      const { run, sent } = cli();
      expect(await run("forget", ...operands)).toMatchObject({ exitCode: 2 });
      expect(sent).toEqual([]);
    },
  );

  it("fails with a sentence that says what went wrong", async () => {
    expect(await cli({ answer: { fault: "It broke." } }).run("forget", "a/b")).toEqual({
      exitCode: 1,
      text: "It broke.",
    });
    const away = new MagisError("DATABASE_UNAVAILABLE", "It is away.");
    expect(await cli({ answer: away }).run("forget", "a/b")).toEqual({ exitCode: 1, text: "It is away." });
    await expect(cli({ answer: new Error("unexpected") }).run("forget", "a/b")).rejects.toThrow("unexpected");
  });
});

describe("runCli", () => {
  it("shows help and the version", async () => {
    const help = { exitCode: 0, text: expect.stringMatching(/forget OWNER\/REPO[\s\S]*Exit codes: 0 done/) };
    for (const args of [["help"], ["--help"], ["-h"]]) expect(await cli().run(...args)).toEqual(help);
    const own = {
      exitCode: 0,
      text: expect.stringContaining("Usage: magis forget OWNER/REPO\n\nDelete summaries"),
    };
    for (const args of [
      ["help", "forget"],
      ["forget", "--help"],
      ["forget", "a/b", "-h"],
    ])
      expect(await cli().run(...args)).toEqual(own);
    for (const args of [
      ["help", "--help"],
      ["help", "help"],
    ])
      expect(await cli().run(...args)).toEqual({ exitCode: 0, text: expect.stringContaining("magis help [COMMAND]") });
    expect(await cli().run()).toEqual({ ...help, exitCode: 2 });
    for (const word of ["--version", "version"]) expect(await cli().run(word)).toEqual({ exitCode: 0, text: "1.2.3" });
  });

  it("keeps help within the terminal's width, between words", async () => {
    const { text: wide } = await cli().run("help");
    for (const columns of [60, 80, 200]) {
      const { text } = await cli({ columns }).run("help");
      const longest = Math.max(...text.split("\n").map((line) => line.length));
      expect(longest).toBeLessThanOrEqual(Math.min(columns, 120));
      expect(text.split(/\s+/)).toEqual(wide.split(/\s+/));
    }
  });

  it.each([
    [["forgte", "a/b"], "Unknown command 'forgte'. Did you mean forget?"],
    [["help", "forgte"], "Unknown command 'forgte'. Did you mean forget?"],
    [["forgte", "--help"], "Unknown command 'forgte'. Did you mean forget?"],
    [["deploy"], "Unknown command 'deploy'."],
    [["--verison"], "Unknown option '--verison'. Did you mean --version?"],
    [["forget", "a/b", "--all"], "Unknown option '--all'."],
    [["forget", "a/b", "c/d"], "Too many arguments for 'forget'. Expected 1 argument but got 2."],
    [["forget"], "Missing required argument 'OWNER/REPO'."],
    [["try", "--levle", "1"], "Unknown option '--levle'. Did you mean --level?"],
    [["try", "--level"], "Option '--level <N>' argument missing."],
    [["try", "--level", "--dry"], "Option '--level <N>' argument '--dry' is invalid. It is an option itself."],
    [["try", "--level", "0"], "Option '--level <N>' argument '0' is invalid. It must be a digit from 1."],
    [["try", "--kind", "x"], "Option '--kind <KIND>' argument 'x' is invalid. Allowed choices are big, small."],
  ])("says what is wrong with %j", async (args, fault) => {
    const { run, sent, given } = cli();
    const { exitCode, text } = await run(...args);
    expect({ exitCode, fault: text.split("\n")[0], sent, given }).toEqual({ exitCode: 2, fault, sent: [], given: [] });
  });

  it("says where help is", async () => {
    expect((await cli().run("deploy")).text).toMatch(/\nmagis help shows the commands\.$/);
    expect((await cli().run("forget")).text).toMatch(/\nmagis help forget shows how it is used\.$/);
  });

  it("passes on the given options, parsed, and nothing else", async () => {
    const { run, given } = cli();
    await run("try");
    await run("try", "--level=7", "--no-model", "--dry", "--kind", "big");
    await run("try", "it", "--level", "1", "--level", "2");
    expect(given).toEqual([
      { options: {} },
      { options: { level: 7, "no-model": true, dry: true, kind: "big" } },
      { operand: "it", options: { level: 2 } },
    ]);
  });
});

const NO_RUNS: RunArchive = {
  report: async () => undefined,
  latestReport: async () => undefined,
  latest: async () => [],
};

describe("createAnswerer", () => {
  const answer = (request: unknown, forget: () => Promise<number> = async () => 2) =>
    createAnswerer({ memory: { forget }, runs: NO_RUNS, ledger: EMPTY_LEDGER, log: createFakeLog().log })(request);

  it("checks the request, since it comes from another process", async () => {
    expect(await answer({ command: "forget", owner: "a", name: "b" })).toEqual({ versions: 2, entries: 0 });
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

describe("a command that takes its time", () => {
  /** What is drawn while a command runs that ends once `enough` lines have been. */
  async function drawn(waiting: string | undefined, enough: number, aborted = false): Promise<string[]> {
    const lines: string[] = [];
    const ended = new AbortController();
    if (aborted) ended.abort();
    const slow: CliCommand = {
      name: "wait",
      description: "wait",
      options: [],
      waiting,
      async run() {
        while (lines.length < enough) await new Promise((resolve) => setImmediate(resolve));
        return { exitCode: 0, text: "" };
      },
    };
    const context = { version: "1", signal: ended.signal, progress: () => undefined };
    await runCli(["wait"], [slow], { ...context, live: (line) => void lines.push(line) });
    return lines;
  }

  it("shows that it is alive, and takes the line away at its end", async () => {
    const lines = await drawn("looking", 4);
    expect(lines.at(-1)).toBe("");
    expect(lines.slice(0, 4).every((line) => /^\S 0:0\d {2}looking$/.test(line))).toBe(true);
    expect(new Set(lines.slice(0, 4)).size).toBe(4);
    expect((await drawn("looking", 1, true))[0]).toMatch(/cancelling$/);
  });

  it("draws nothing when it ends at once, or has a line of its own", async () => {
    expect(await drawn("looking", 0)).toEqual([]);
    expect(await drawn(undefined, 0)).toEqual([]);
  });
});
