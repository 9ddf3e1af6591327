import { describe, expect, it } from "@jest/globals";
import { initialState } from "../../src/data/run-state.ts";
import { followUpBlock, followUpNote, replaceBlock } from "../../src/report/follow-up.ts";
import { sampleRequest } from "../fakes/sample-request.ts";

const followUp = (run: string, open = 2) => ({
  run,
  what: "Review by ana: 1 thread",
  outcome: "1 answer",
  open,
  money: 0.5,
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

// The snapshot has the notes that there are.
it("there is no note about a run at work, nor about one that nobody asked for and that found nothing open", () => {
  const request = sampleRequest({ work: { kind: "revise", because: "feedback" } });
  const result = { kind: "nothing-to-change", reason: "answered" } as const;
  expect(followUpNote(request, { ...initialState(), result, batch: ["thread-4"] })).toBeUndefined();
  expect(followUpNote(request, initialState())).toBeUndefined();
});
