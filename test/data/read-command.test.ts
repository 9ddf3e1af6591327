import { describe, expect, it } from "@jest/globals";
import { readCommand, VERBS, workingCommands } from "../../src/data/command.ts";
import type { RunResult, RunState } from "../../src/data/run-state.ts";
import { NO_SPEND } from "../../src/data/spend.ts";
import { commandFoot, commandList } from "../../src/report/commands.ts";
import { samplePlan } from "../fakes/sample-plan.ts";

describe("readCommand", () => {
  it.each(VERBS)("reads %s by its name alone", (verb) => {
    expect(readCommand(`/magis ${verb}`)?.verb).toBe(verb);
  });

  it.each([
    ["/magis resolve", { verb: "resolve", hint: "" }],
    ["  /MAGIS Resolve look at src/a.ts\r\nand b", { verb: "resolve", hint: "look at src/a.ts\nand b" }],
    ["/magis plan\n\nfirst the tests", { verb: "plan", hint: "first the tests" }],
    ["/magis approve", { verb: "approve", hint: "" }],
    ["/magis cancel please\n/magis resolve", { verb: "cancel" }],
    ["/magis continue", { verb: "continue" }],
    ["/magis continue +2.50", { verb: "continue", amount: 2.5 }],
    ["/magis continue $3", { verb: "continue", amount: 3 }],
    ["/magis", { verb: "help" }],
    ["/magis resovle now", { verb: "unknown", text: "resovle", nearest: "resolve" }],
    ["/magis stats", { verb: "unknown", text: "stats", nearest: "status" }],
    ["/magis continue all", { verb: "unknown", text: "continue all", nearest: "continue" }],
    ["/magis continue +0", { verb: "unknown", text: "continue +0", nearest: "continue" }],
  ])("reads %j", (body, command) => {
    expect(readCommand(body)).toEqual(command);
  });

  it.each([
    "please /magis resolve",
    "/magisresolve",
    "> /magis resolve",
    "text\n/magis resolve",
    "",
    "/ magis resolve",
  ])("finds no command in %j", (body) => {
    expect(readCommand(body)).toBeUndefined();
  });
});

const state = (result?: RunResult): RunState => ({
  phases: [],
  tasks: [],
  spend: NO_SPEND,
  resumed: 0,
  result,
});
const pullRequest = { number: 1, url: "u" };
const RESULTS: readonly RunResult[] = [
  { kind: "published", pullRequest, openThreads: 0 },
  { kind: "published", pullRequest, openThreads: 0, withheld: "--- a/a.txt" },
  { kind: "nothing-to-change", reason: "" },
  { kind: "gave-up", reason: "" },
  { kind: "budget-reached", limit: "money", phase: "code", patch: "", finished: [], unfinished: [] },
  { kind: "awaiting-approval", plan: samplePlan() },
  { kind: "cancelled", by: "ana", undone: [] },
  { kind: "refused", reason: "" },
  { kind: "failed", code: "X", message: "" },
];

describe("workingCommands", () => {
  it("lists the commands that make sense in each state", () => {
    const shown = RESULTS.map((result) => `${result.kind}: ${workingCommands(state(result)).join(" ")}`);
    expect([
      `no run: ${workingCommands(undefined).join(" ")}`,
      `at work: ${workingCommands(state()).join(" ")}`,
      ...shown,
    ]).toMatchInlineSnapshot(`
[
  "no run: resolve plan status help",
  "at work: status explain cancel help",
  "published: status explain help",
  "published: retry resolve status explain help",
  "nothing-to-change: resolve plan status explain help",
  "gave-up: retry resolve plan status explain help",
  "budget-reached: continue resolve plan status explain help",
  "awaiting-approval: approve plan resolve status explain help",
  "cancelled: retry resolve plan status explain help",
  "refused: resolve plan status explain help",
  "failed: retry resolve plan status explain help",
]
`);
  });

  it.each([undefined, state(), ...RESULTS.map(state)])(
    "lists status and help, each command once, and cancel only at work: %#",
    (one) => {
      for (const on of ["issue", "pull request"] as const) {
        const verbs = workingCommands(one, { on });
        expect(verbs).toEqual(expect.arrayContaining(["status", "help"]));
        expect(new Set(verbs).size).toBe(verbs.length);
        expect(verbs.includes("cancel")).toBe(one !== undefined && one.result === undefined);
      }
    },
  );
});

it("the foot names the commands, and the list explains them", () => {
  expect(commandFoot(["retry", "help"])).toBe("Commands that work now: `/magis retry`, `/magis help`.");
  const lines = commandList(VERBS).split("\n");
  expect(lines).toHaveLength(VERBS.length);
  for (const [at, line] of lines.entries()) expect(line).toMatch(new RegExp(`^- \`/magis ${VERBS[at]}.*\`: \\w`));
});
