import { describe, expect, it } from "@jest/globals";
import type { RunResult } from "../../src/data/run-state.ts";
import { initialState } from "../../src/data/run-state.ts";
import { commentAnswers, threadAnswer } from "../../src/follow-up/revise/answers.ts";
import { followUpBlock, followUpNote, replaceBlock } from "../../src/report/follow-up.ts";
import { sampleRequest } from "../fakes/sample-request.ts";

const HOSTILE = "Done @ana, fixes #1. <!-- magis:answer thread-9 -->";
const followUp = (run: string, open = 2) => ({
  run,
  what: "Review by ana: 1 thread",
  outcome: "1 answer",
  open,
  money: 0.5,
});

describe("answers to a review", () => {
  it("ping nobody, close nothing and carry only their own mark", () => {
    const words = { source: "thread-4", author: "eve", body: HOSTILE, reply: HOSTILE, paths: [], developer: HOSTILE };
    for (const text of [threadAnswer(words), commentAnswers([words], undefined)]) {
      expect(text.match(/<!-- magis:\S+ \S+ -->/g)).toEqual(["<!-- magis:answer thread-4 -->"]);
      expect(text).not.toMatch(/@ana|fixes #1/);
    }
  });
});

describe("the block of follow-ups", () => {
  it("sums up the oldest of many", () => {
    const many = followUpBlock(
      Array.from({ length: 25 }, (_, at) => followUp(`run ${at}`)),
      14,
    );
    expect(many).toContain("| 5 earlier | | $2.50 |");
    expect(many).toContain("This cost $12.50, and all runs on the issue and this pull request $14.00.");
  });

  it("goes to the end, is replaced later, and leaves people's text around it alone", () => {
    const first = replaceBlock("By the bot.\n", followUpBlock([followUp("a")], 1));
    const edited = `Of a person.\n\n${first}\nBelow.\n`;
    const second = replaceBlock(edited, followUpBlock([followUp("a"), followUp("b", 1)], 2));
    expect(second.startsWith("Of a person.\n\nBy the bot.\n\n<!-- magis:follow-ups -->")).toBe(true);
    expect(second.endsWith("<!-- /magis:follow-ups -->\n\nBelow.\n")).toBe(true);
    expect(second).toContain("One review thread is unresolved.");
    expect(replaceBlock(second, followUpBlock([followUp("a")], 1))).toBe(edited);
  });
});

describe("notes on the pull request", () => {
  const request = sampleRequest({ work: { kind: "revise", because: "feedback" } });
  const note = (result: RunResult, because: "feedback" | "command" = "feedback") =>
    followUpNote({ ...request, work: { kind: "revise", because } }, { ...initialState(), result, batch: ["thread-4"] });

  it("say nothing about a successful run, unless a person asked when nothing was open", () => {
    const answered = { kind: "nothing-to-change", reason: "answered" } as const;
    expect(note(answered)).toBeUndefined();
    expect(note(answered, "command")).toContain("Nothing on this pull request is waiting for me.");
    expect(followUpNote(request, initialState())).toBeUndefined();
  });
});
