import type { Script } from "../scripted-model/scripted-answer.ts";
import type { ScriptedCall } from "../scripted-model/scripted-call.ts";

const isTill = ({ text }: ScriptedCall) => text.includes("The till's total is wrong");
const role = "Engineer: Takes care.";

/** A model that resolves `acme__shop-1` as the reference does, and changes line 6 instead of 4 for `acme__till-2`. */
export const evalScript: Script = (call) => {
  const path = isTill(call) ? "src/till.js" : "src/money.js";
  const line = isTill(call) ? 6 : 3;
  const text = isTill(call) ? "  return roundCents(sum + 0);" : "  return Math.round(cents);";
  const anchor = isTill(call) ? "  return roundCents(sum);" : "  return Math.floor(cents);";
  const what = { action: "modify", title: `Mend ${path}`, description: `Mend line ${line} of ${path}.` };
  const task = { path, ...what };
  switch (call.promptId) {
    case "c02-locate-files": {
      const shown = [...call.text.matchAll(/^## `(.+)`$/gm)].map(([, one = ""]) => one);
      const judge = (one: string) => ({
        path: one,
        verdict: one === path ? "change" : "no",
        reason: "As the issue says.",
        names: [],
        summary: `About ${one}.`,
      });
      return { json: { files: shown.map(judge), more: [] } };
    }
    case "p04-plan-work":
      return {
        json: {
          example: "0.5 becomes 0.",
          fails: true,
          at: `${path}:${line}`,
          questions: [],
          notes: [],
          reason: "It rounds down.",
          tasks: [{ ...task, places: [], edits: [], summary: "", developer: role }],
          order: 'run("t1");',
          agreed: "",
          title: "fix: mend it",
        },
      };
    case "p09-change-file":
      // The till's check is red on `sum + 0`.
      if (call.text.includes("was run on the change as it stands")) {
        const edit = {
          start: 6,
          end: 6,
          anchor: "  return roundCents(sum + 0);",
          text: "  return roundCents(sum - 0);",
        };
        return { json: { edits: [edit], summary: "Mended again.", replies: [], qaEngineer: role } };
      }
      return {
        json: { edits: [{ start: line, end: line, anchor, text }], summary: "Mended.", replies: [], qaEngineer: role },
      };
    case "p11-review-work":
      return {
        json: { comments: [], missing: [], settled: [], unfollowed: [], verdict: "It is right.", approved: true },
      };
    // As models do: the hunk counts one line too few.
    case "b01-write-patch":
      return {
        text: `Here it is.\n<patch>\n--- a/${path}\n+++ b/${path}\n@@ -${line},1 +${line},1 @@\n-${anchor}\n+${text}\n }\n</patch>`,
      };
    case "p02-summarise-file":
      return { text: "Sums." };
    case "p03-judge-relevance": {
      const shown = [...call.text.matchAll(/^## `(.+)`$/gm)].map(([, one = ""]) => one);
      return { json: { files: shown.map((one) => ({ path: one, relevant: one === path, reason: "So." })) } };
    }
    case "p04-define-task":
      return { json: { needed: true, reason: "It must.", ...what, newFiles: [] } };
    case "p05-describe-developer":
    case "p08-describe-qa-engineer":
      return { json: { title: "Engineer", description: "Takes care." } };
    case "p09-locate-lines":
      return {
        json: { intervals: [{ start: line, end: line, change: "Mend it." }], summary: "Mended.", replies: [] },
      };
    case "p10-write-code":
      return { text };
    case "p11-review-change":
      return { json: { comments: [], settled: [], verdict: "It is right.", approved: true } };
    case "j01-judge-correlation":
      return { json: { reason: "The same place.", score: isTill(call) ? 2 : 5 } };
    default:
      return undefined;
  }
};
