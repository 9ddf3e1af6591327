import { describe, expect, it } from "@jest/globals";
import { z } from "zod";
import type { CliCommand, CliInput, CliOption } from "../../src/commands/cli-command.ts";
import { runCli } from "../../src/commands/run-cli.ts";
import { MagisError } from "../../src/data/error.ts";
import { commandContext, named } from "./command-context.ts";

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

const operand = (name: string, required: boolean) => ({ operand: { name, description: "what", required } });

function cli({ fails, columns }: { fails?: Error; columns?: number } = {}) {
  const given: CliInput[] = [];
  const run = async (input: CliInput) => {
    given.push(input);
    if (fails) throw fails;
    return { exitCode: 0, text: "" } as const;
  };
  const commands = [
    named("forget", { options: [], run }, operand("OWNER/REPO", true)),
    named("try", { options: TRY_OPTIONS, run }, operand("WHAT", false)),
  ];
  return { given, run: (...args: string[]) => runCli(args, commands, commandContext({ columns })) };
}

describe("runCli", () => {
  it.each([["help"], ["--help"], ["-h"], ["help", "help"]])("lists the commands for %s %s", async (...args) => {
    const { exitCode, text } = await cli().run(...args);
    expect(exitCode).toBe(0);
    expect(text).toMatch(/forget <OWNER\/REPO> +forget it\n[\s\S]*Exit codes: 0 done/);
    expect(await cli().run()).toEqual({ exitCode: 2, text });
  });

  it.each([
    ["help", "forget"],
    ["forget", "--help"],
    ["forget", "a/b", "-h"],
  ])("shows how a command is used for %s %s %s", async (...args) => {
    const text = expect.stringContaining("Usage: magis forget [options] <OWNER/REPO>\n\nforget it\n");
    expect(await cli().run(...args)).toEqual({ exitCode: 0, text });
  });

  it.each(["--version", "version"])("shows the version for %s", async (word) => {
    expect(await cli().run(word)).toEqual({ exitCode: 0, text: "1.2.3" });
  });

  it("keeps help within the terminal's width, between words", async () => {
    const { text: wide } = await cli().run("help");
    for (const columns of [80, 200]) {
      const { text } = await cli({ columns }).run("help");
      const longest = Math.max(...text.split("\n").map((line) => line.length));
      expect(longest).toBeLessThanOrEqual(Math.min(columns, 120));
      expect(text.split(/\s+/)).toEqual(wide.split(/\s+/));
    }
  });

  it.each([
    [["forgte", "a/b"], "unknown command 'forgte'\n(Did you mean forget?)", ""],
    [["help", "forgte"], "unknown command 'forgte'\n(Did you mean forget?)", ""],
    [["--verison"], "unknown option '--verison'\n(Did you mean --version?)", ""],
    [["forget", "a/b", "c/d"], "too many arguments for 'forget'. Expected 1 argument but got 2.", " forget"],
    [["forget"], "missing required argument 'OWNER/REPO'", " forget"],
    [["try", "--level", "--dry"], "option '--level <N>' argument '--dry' is invalid. It is an option itself.", " try"],
    [["try", "--level", "0"], "option '--level <N>' argument '0' is invalid. It must be a digit from 1.", " try"],
  ])("says what is wrong with %j, and where help is", async (args, fault, about) => {
    const { run, given } = cli();
    const { exitCode, text } = await run(...args);
    expect({ exitCode, given }).toEqual({ exitCode: 2, given: [] });
    expect(text.startsWith(`error: ${fault}\n`)).toBe(true);
    expect(text).toContain(`\nmagis help${about} shows `);
  });

  it("makes a sentence of an expected error, and hides no other", async () => {
    const away = new MagisError("DATABASE_UNAVAILABLE", "It is away.");
    expect(await cli({ fails: away }).run("try")).toEqual({ exitCode: 1, text: "It is away." });
    await expect(cli({ fails: new Error("unexpected") }).run("try")).rejects.toThrow("unexpected");
  });

  it("loads no module but that of the command", async () => {
    const loaded: string[] = [];
    const command = (name: string) =>
      named(
        name,
        { options: [], run: async () => ({ exitCode: 0, text: "" }) },
        {
          load: async () => {
            loaded.push(name);
            return { options: [], run: async () => ({ exitCode: 0, text: "" }) };
          },
        },
      );
    for (const args of [["help"], ["--version"], ["help", "b"], ["a"]])
      await runCli(args, ["a", "b", "c"].map(command), commandContext());
    expect(loaded).toEqual(["b", "a"]);
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

describe("a command that takes its time", () => {
  /** What is drawn while a command runs that ends once `enough` lines have been. */
  async function drawn(waiting: string | undefined, enough: number, aborted = false): Promise<string[]> {
    const lines: string[] = [];
    const ended = new AbortController();
    if (aborted) ended.abort();
    const slow: CliCommand = {
      options: [],
      waiting,
      async run() {
        while (lines.length < enough) await new Promise((resolve) => setTimeout(resolve, 10));
        return { exitCode: 0, text: "" };
      },
    };
    const context = commandContext({ signal: ended.signal, live: (line) => void lines.push(line) });
    await runCli(["wait"], [named("wait", slow)], context);
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
