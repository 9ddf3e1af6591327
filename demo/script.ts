import { pathOf, scriptedChange } from "../test/scripted-model/default-answers.ts";
import { type Answers, type Call, createScript } from "../test/scripted-model/script.ts";
import { FILES } from "./script-files.ts";
import { PLAN } from "./script-plan.ts";

const MONEY = "src/money.js";

const ROUNDING = "test/rounding.test.js";

const TEST_OF_ROUNDING = [
  'import assert from "node:assert/strict";',
  'import { test } from "node:test";',
  'import { discountAmount, totalAmount } from "../src/invoice.js";',
  "",
  'const tea = (quantity, discount) => ({ lines: [{ item: "tea", quantity, price: 335 }], discount });',
  "",
  'test("a discount is rounded to the nearest cent", () => {',
  "  assert.equal(discountAmount(tea(3, 15)), 151);",
  "  assert.equal(totalAmount(tea(3, 15)), 854);",
  "});",
  "",
  'test("a credit note is the negative of its invoice", () => {',
  "  assert.equal(discountAmount(tea(-3, 10)), -101);",
  "  assert.equal(totalAmount(tea(-3, 10)), -totalAmount(tea(3, 10)));",
  "});",
  "",
].join("\n");

/** The first of QA's comments that is still open, by its id. */
const openComment = (call: Call) => /^- (t\d+-r\d+-\d+)\b/m.exec(call.text)?.[1];

const answers: Answers = {
  "c02-locate-files": (call) => {
    const paths = [...call.text.matchAll(/^## `(.+)`$/gm)].map(([, path]) => path as string);
    const other = { verdict: "no", reason: "It neither rounds nor works out discounts." };
    return { files: paths.map((path) => ({ path, ...other, ...FILES[path] })) };
  },

  // The Manager makes sure of two things that the shown files do not tell, then plans.
  "p04-plan-work": ({ looked }) =>
    looked.length === 0
      ? {
          text: "Who else uses the discount, and is there another place that cuts fractions off?",
          tools: [
            { name: "search", input: { pattern: "discountAmount" } },
            { name: "search", input: { pattern: "Math\\.(trunc|floor|round)" } },
          ],
        }
      : PLAN,

  "p09-change-file": (call) => {
    if (pathOf(call) === MONEY) return changeOfMoney(openComment(call));
    if (pathOf(call) === ROUNDING) {
      return scriptedChange([{ start: 1, end: 0, text: TEST_OF_ROUNDING }], {
        summary: "Discounts that do not divide evenly have tests, and credit notes.",
        qaEngineer: "Test QA Engineer: Works the expected values out by hand.",
      });
    }
    const imported = 'import { checkInvoice } from "./check-invoice.js";';
    const edits = [
      { start: 1, end: 1, anchor: imported, text: `${imported}\nimport { roundCents } from "./money.js";` },
      {
        start: 10,
        end: 10,
        anchor: "return Math.trunc((netAmount(invoice) * (invoice.discount ?? 0)) / 100);",
        text: "  return roundCents((netAmount(invoice) * (invoice.discount ?? 0)) / 100);",
      },
    ];
    return scriptedChange(edits, {
      summary: "Discounts are rounded to the nearest cent instead of being cut off.",
      qaEngineer:
        "Invoicing QA Engineer: Works out whole invoices and credit notes by hand, and looks at every caller of discountAmount.",
    });
  },

  "p11-review-work": (call) => {
    const line = Number(/^(\d+)\+.*Math\.round\(cents\)/m.exec(call.text)?.[1]);
    if (line > 0) {
      const body =
        "`Math.round(-100.5)` is -100: JavaScript rounds halves up, towards zero for negative amounts. The README promises halves away from zero, so that a credit note is the negative of its invoice. Round the size of the amount and put the sign back; mind that this can give -0.";
      const verdict = "Right for invoices, a cent off for credit notes.";
      return { comments: [{ path: MONEY, line, body }], verdict, approved: false };
    }
    const settled = [openComment(call)].filter((id) => id !== undefined);
    if (!call.text.includes("roundCents(cents)")) {
      const verdict = "The example of the issue is there, and both cases fail by the fault alone.";
      return { settled, verdict, approved: true };
    }
    const verdict =
      "Traced 100.5, -100.5, 0 and -0.2: 101, -101, 0 and 0, as the README promises; and the issue's example: 15 % of 1005 is 150.75, rounded 151, total 854.";
    return { settled, verdict, approved: true };
  },
};

/**
 * The scripted model of the demo: answers written beforehand for the demo's one issue, chosen by prompt and content.
 * It shows how the agents work together; it says nothing about how good a model is.
 */
export const script = createScript({ answers });

/** The helper: at first as one would write it in a hurry, then, when QA has sent it back, with the sign put back. */
function changeOfMoney(comment: string | undefined) {
  const qaEngineer =
    "Numerics QA Engineer: Checks rounding with concrete values on both sides of zero, at halves and at zero itself.";
  if (comment === undefined) {
    const text =
      "/** An amount to the nearest whole cent. */\nexport function roundCents(cents) {\n  return Math.round(cents);\n}\n\n";
    const anchor = '/** A price as people write it, "12.34" or "12", in whole cents. */';
    const summary = "A helper `roundCents` rounds an amount to whole cents.";
    return scriptedChange([{ start: 8, end: 7, anchor, text }], { summary, qaEngineer });
  }
  const edits = [
    {
      start: 8,
      end: 8,
      anchor: "/** An amount to the nearest whole cent. */",
      text: "/** An amount to the nearest whole cent, halves away from zero: 100.5 is 101 and -100.5 is -101. */",
    },
    {
      start: 10,
      end: 10,
      anchor: "return Math.round(cents);",
      text: "  return Math.sign(cents) * Math.round(Math.abs(cents)) || 0;",
    },
  ];
  return scriptedChange(edits, {
    summary: "A helper `roundCents` rounds an amount to whole cents, halves away from zero.",
    replies: [
      { comment, reply: "Right: it now rounds the size of the amount and puts the sign back, without giving -0." },
    ],
    qaEngineer,
  });
}
