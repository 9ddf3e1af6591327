import type { Script, ScriptedAnswer } from "../test/model/scripted-answer.ts";
import type { ScriptedCall } from "../test/model/scripted-call.ts";
import { FILES } from "./script-files.ts";

/**
 * The scripted model of the demo: answers written beforehand for the demo's one issue, chosen by prompt and content.
 * It shows how the agents work together; it says nothing about how good a model is.
 */
export const script: Script = (call) => ANSWERS[call.promptId]?.(call);

const MONEY = "src/money.js";
const INVOICE = "src/invoice.js";

/** The file a prompt is about. */
const pathIn = (call: ScriptedCall) => /^# The file `(.+)`$/m.exec(call.text)?.[1] ?? "";
/** The id of the task on `path`, from the list of the team's tasks. */
const taskOn = (call: ScriptedCall, path: string) =>
  new RegExp(`^- (t\\d+) · \\w+ \`${path}\``, "m").exec(call.text)?.[1] ?? "t1";
/** The file of the one task that a prompt is about. */
const ownPath = (call: ScriptedCall) => /\b(?:modify|create) `(src\/\w+\.js)`/.exec(call.text)?.[1] ?? "";

const ANSWERS: Readonly<Record<string, (call: ScriptedCall) => ScriptedAnswer>> = {
  "c01-read-map": () => ({ json: { files: [], terms: ["Math.round"] } }),

  "p02-summarise-file": (call) => {
    const path = /the file `(.+)` for colleagues/.exec(call.text)?.[1] ?? "";
    return { text: FILES[path]?.summary ?? `${path}: part of the repository.` };
  },

  "p03-judge-relevance": (call) => {
    const paths = [...call.text.matchAll(/^## `(.+)`$/gm)].map(([, path]) => path as string);
    const files = paths.map((path) => ({
      path,
      relevant: FILES[path]?.relevant !== undefined,
      reason: FILES[path]?.relevant ?? "It neither rounds nor works out discounts.",
    }));
    return { json: { files } };
  },

  "p04-define-task": (call) => {
    const task = FILES[pathIn(call)]?.task;
    const none = {
      needed: false,
      reason: "It only uses the amounts that are worked out elsewhere.",
      title: "",
      description: "",
    };
    return {
      json: { action: "modify", newFiles: [], ...(task ? { needed: true, reason: task.title, ...task } : none) },
    };
  },

  "p05-describe-developer": (call) => ({ json: FILES[ownPath(call)]?.developer ?? FILES[MONEY]?.developer }),

  "m01-open-meeting": (call) => ({
    text: `Two tasks resolve this issue: ${taskOn(call, MONEY)} adds the rounding, ${taskOn(call, INVOICE)} uses it for discounts. Please agree on the name and on what happens to halves, and tell me who waits for whom.`,
  }),

  "m02-speak-in-meeting": (call) => ({
    text:
      pathIn(call) === MONEY
        ? "I will export `roundCents(cents)` from `src/money.js`: it takes an amount in cents with a fraction and gives whole cents. I need nothing from the others."
        : "I will import `roundCents` from `./money.js` in place of `Math.trunc`. My change only works once that function is there, so I wait for it.",
  }),

  "m03-close-meeting": (call) => ({
    json: {
      summary: `\`roundCents(cents)\` is exported from \`src/money.js\` and gives whole cents. ${taskOn(call, INVOICE)} uses it and waits for ${taskOn(call, MONEY)}.`,
      revised: [],
      dropped: [],
      added: [],
    },
  }),

  "p06-adjust-role": (call) => ({ json: FILES[ownPath(call)]?.developer ?? FILES[MONEY]?.developer }),

  "p07-write-plan": (call) => ({ text: `run("${taskOn(call, MONEY)}");\nrun("${taskOn(call, INVOICE)}");` }),

  "p08-describe-qa-engineer": (call) => ({ json: FILES[pathIn(call)]?.qaEngineer }),

  "p09-locate-lines": (call) => {
    if (pathIn(call) === INVOICE) {
      return {
        json: {
          intervals: [
            { start: 1, end: 1, change: "Import roundCents from ./money.js as well." },
            { start: 10, end: 10, change: "Round the discount with roundCents instead of cutting it off." },
          ],
          summary: "Discounts are rounded to the nearest cent instead of being cut off.",
          replies: [],
        },
      };
    }
    const again = /^- (t\d+-r\d+-\d+)/m.exec(call.text)?.[1];
    return {
      json: {
        intervals: [{ start: 8, end: 7, change: "Insert roundCents between formatCents and parseCents." }],
        summary: "A helper `roundCents` rounds an amount to whole cents, halves away from zero.",
        replies: again
          ? [
              {
                comment: again,
                reply: "Right: it now rounds the size of the amount and puts the sign back, without giving -0.",
              },
            ]
          : [],
      },
    };
  },

  "p10-write-code": (call) => {
    if (/write the new text for line 1:/.test(call.text)) {
      return { text: 'import { checkInvoice } from "./check-invoice.js";\nimport { roundCents } from "./money.js";' };
    }
    if (/write the new text for line 10:/.test(call.text)) {
      return { text: "  return roundCents((netAmount(invoice) * (invoice.discount ?? 0)) / 100);" };
    }
    const again = call.text.includes("This is another round");
    return {
      text: again
        ? "/** An amount to the nearest whole cent, halves away from zero: 100.5 is 101 and -100.5 is -101. */\nexport function roundCents(cents) {\n  return Math.sign(cents) * Math.round(Math.abs(cents)) || 0;\n}\n\n"
        : "/** An amount to the nearest whole cent. */\nexport function roundCents(cents) {\n  return Math.round(cents);\n}\n\n",
    };
  },

  "p11-review-change": (call) => {
    const earlier = /still open:\s+- (t\d+-r\d+-\d+):/.exec(call.text)?.[1];
    if (/^\+.*Math\.round\(cents\)/m.test(call.text)) {
      const line = Number(/^ *(\d+) \| .*Math\.round\(cents\)/m.exec(call.text)?.[1] ?? "9");
      const body =
        "`Math.round(-100.5)` is -100: JavaScript rounds halves up, towards zero for negative amounts. The README promises halves away from zero, so that a credit note is the negative of its invoice. Round the size of the amount and put the sign back; mind that this can give -0.";
      return {
        json: {
          comments: [{ line, body }],
          settled: [],
          verdict: "Right for invoices, a cent off for credit notes.",
          approved: false,
        },
      };
    }
    const verdict = earlier
      ? "Traced 100.5, -100.5, 0 and -0.2: 101, -101, 0 and 0. This is what the README promises."
      : "Traced the example of the issue: 15 % of 1005 is 150.75, rounded 151, total 854.";
    return { json: { comments: [], settled: earlier ? [earlier] : [], verdict, approved: true } };
  },

  "d01-describe-change": () => ({
    json: {
      type: "fix",
      title: "round discounts to the nearest cent",
      problem:
        "`discountAmount` cut the fraction of a cent off, although the README promises rounding. A discount of 15 % on 10.05 came out as 1.50 instead of 1.51.",
      solution:
        "A new helper `roundCents` rounds to the nearest cent, halves away from zero, and `discountAmount` uses it. Credit notes stay the exact negative of their invoice.",
      template: "",
    },
  }),
};
