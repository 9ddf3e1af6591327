import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import { type Block, plainText, type RunDocument, type Words } from "../../../src/cli/show/document.ts";
import { renderPage } from "../../../src/cli/show/page.ts";
import { renderTerminal } from "../../../src/cli/show/render-terminal.ts";
import type { RecordedCall } from "../../../src/ports/runs.ts";
import { documentOf } from "./rendered.ts";
import { sampleCall, sampleReport } from "./sample-report.ts";

const usage = fc.record({
  input: fc.nat(90_000),
  cacheWrite: fc.nat(9000),
  cacheRead: fc.nat(90_000),
  output: fc.nat(9000),
});

const tool = fc.constantFrom("search", "read", "plan", "review");

const madeCall = fc.record({
  prompt: fc.constantFrom("c02-locate-files", "p04-plan-work", "p09-change-file", "p11-review-work"),
  effort: fc.constantFrom("low" as const, "high" as const, undefined),
  usage,
  tools: fc.array(tool, { maxLength: 3 }),
  cutOff: fc.boolean(),
  failed: fc.boolean(),
  money: fc.double({ min: 0, max: 2, noNaN: true }),
  elapsed: fc.double({ min: 0, max: 200_000, noNaN: true }),
  /** tokens of attempts that came to nothing */
  lost: fc.constantFrom(0, 0, 700),
});

const madeCalls = fc.array(madeCall, { minLength: 1, maxLength: 12 }).map((made) =>
  made.map(({ prompt, effort, usage: used, tools, cutOff, failed, money, elapsed, lost }, at): RecordedCall => {
    const tokens = Object.values(used).reduce((sum, one) => sum + one, lost);
    const { answer, ...call } = sampleCall(prompt, at * 1000, elapsed, { tokens, money });
    if (failed || answer === undefined) return { ...call, failure: "It broke." };
    const blocks = tools.map((name, id) => ({ type: "tool_use" as const, id: String(id), name, input: {} }));
    const told = { usage: used, blocks, ...(effort && { effort }), ...(cutOff && { stop: "length" as const }) };
    return { ...call, answer: { ...answer, ...told } };
  }),
);

/** All blocks of a section, those of its parts too. */
const blocksOf = (body: readonly Block[]): readonly Block[] =>
  body.flatMap((block) => (block.kind === "part" ? [block, ...blocksOf(block.body)] : [block]));

const sectionBlocks = ({ sections }: RunDocument, name: string) =>
  blocksOf(sections.find(({ id }) => id === name)?.body ?? []);

/** The facts of a section as text. */
const factsIn = (document: RunDocument, name: string): Record<string, string> =>
  Object.fromEntries(
    sectionBlocks(document, name).flatMap((block) =>
      block.kind === "facts" ? block.rows.map(([label, words]) => [label, plainText(words)]) : [],
    ),
  );

const tablesIn = (document: RunDocument) =>
  sectionBlocks(document, "calls").flatMap((block) =>
    block.kind === "table"
      ? [{ head: block.head.map(plainText), rows: block.rows.map(cells), sum: cells(block.sum ?? []) }]
      : [],
  );

const cells = (row: readonly Words[]) => row.map(plainText);

const figure = (text = "") => Number(text.replace(/[$,]| s$/g, ""));

const sum = (values: readonly number[]) => values.reduce((total, one) => total + one, 0);

const onOneLine = (text: string) => text.replace(/\s+/g, " ");

function expectAgreement(document: RunDocument): void {
  const facts = factsIn(document, "calls");
  const [byPrompt, byCall] = tablesIn(document);
  if (byPrompt === undefined || byCall === undefined) throw new Error("no tables");
  for (const { sum: all, rows } of [byPrompt, byCall]) {
    for (const at of all.keys()) {
      if (at > 0) expect(sum(rows.map((row) => figure(row[at])))).toBeCloseTo(figure(all[at]), 6);
    }
  }
  const cell = (name: string) => byPrompt.sum[byPrompt.head.indexOf(name)];
  expect(byCall.sum.slice(1)).toEqual(byPrompt.sum.slice(2));
  expect(byCall.rows.length).toBe(figure(cell("Calls")));
  const calls = `${cell("Calls")} ${cell("Calls") === "1" ? "call" : "calls"}`;
  expect(factsIn(document, "result").Cost).toMatch(`${facts.Money}, ${calls}, ${facts.Tokens} token`);
  expect(facts.Calls?.split(",")[0]).toBe(cell("Calls"));
  expect(facts.Money).toBe(cell("Money"));
  const kinds = ["Input", "To cache", "Cached", "Output", "Failed"].filter((name) => byPrompt.head.includes(name));
  expect(sum(kinds.map((name) => figure(cell(name))))).toBe(figure(facts.Tokens));
  const lookups = sectionBlocks(document, "calls").flatMap((block) =>
    block.kind === "part" && block.title === "Looked up" ? blocksOf(block.body) : [],
  );
  const items = lookups.flatMap((block) => (block.kind === "list" ? block.items.flat() : []));
  const told = items.flatMap((block) => (block.kind === "paragraph" ? plainText(block.words).split("; ") : []));
  expect(told.length).toBe(figure(facts["Look-ups"] ?? "0"));
}

describe("the figures of a run", () => {
  it("agree: the result, the facts, and the tables with their sums", () => {
    expectAgreement(documentOf(sampleReport()));
    fc.assert(
      fc.property(madeCalls, (calls) => expectAgreement(documentOf(sampleReport({ calls })))),
      { numRuns: 30 },
    );
  });

  it("count each prompt and each call", () => {
    const [byPrompt, byCall] = tablesIn(documentOf(sampleReport()));
    expect(byPrompt?.head).toEqual([
      "Prompt",
      "Calls",
      "Input",
      "To cache",
      "Cached",
      "Output",
      "Failed",
      "Money",
      "Time",
    ]);
    const planned = ["plan work", "2", "1,000", "500", "4,000", "250", "100", "$0.0135", "20.9 s"];
    expect(byPrompt?.rows).toContainEqual(planned);
    expect(byPrompt?.sum).toEqual(["All", "7", "6,000", "3,000", "24,000", "1,500", "100", "$0.0760", "53.9 s"]);
    expect(byCall?.rows).toContainEqual(["2 plan work, failed", "0", "0", "0", "0", "100", "$0.0010", "0.9 s"]);
    expect(factsIn(documentOf(sampleReport()), "calls")).toMatchObject({
      Calls: "7, 1 of them failed",
      "In sequence": "6 one after another, 49 s",
      "Added up": "54 s",
    });
  });

  it("say at most where it was not kept when calls began", () => {
    const calls = sampleReport().calls.map(({ began: _none, ...call }) => call);
    expect(factsIn(documentOf(sampleReport({ calls })), "calls")["In sequence"]).toMatch(
      /^at most 7 one after another/,
    );
  });

  it("are the same on the terminal and in the page", () => {
    const document = documentOf(sampleReport());
    const page = onOneLine(renderPage(document).replace(/<[^>]*>/g, " "));
    const terminal = onOneLine(renderTerminal(document, { columns: 300, colours: false }));
    const texts = [
      ...tablesIn(document).flatMap(({ rows, sum: all }) => [...rows, all].flat()),
      ...Object.values(factsIn(document, "calls")),
      ...Object.values(factsIn(document, "result")),
    ];
    for (const text of texts) for (const shown of [page, terminal]) expect(shown).toContain(text);
  });

  it("come of the run's own count where no call is kept", () => {
    const { Cost } = factsIn(documentOf(sampleReport({ calls: [] })), "result");
    expect(Cost).toBe("$0.0760, 7 calls, 34,600 tokens, 1 min 1 s");
  });
});
