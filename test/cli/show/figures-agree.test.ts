import { describe, expect, it } from "@jest/globals";
import fc from "fast-check";
import type { Block, RunDocument } from "../../../src/cli/show/block.ts";
import { renderPage } from "../../../src/cli/show/page.ts";
import { renderTerminal } from "../../../src/cli/show/render-terminal.ts";
import { runDocument } from "../../../src/cli/show/run-document.ts";
import { readRun } from "../../../src/model/read-record.ts";
import type { RecordedCall } from "../../../src/ports/runs.ts";
import { sampleCall, sampleReport } from "./sample-report.ts";

const usage = fc.record({
  ...{ input: fc.nat(90_000), cacheWrite: fc.nat(9000), cacheRead: fc.nat(90_000), output: fc.nat(9000) },
});

const tool = fc.constantFrom("search", "read", "plan", "review");

const madeCall = fc.record({
  prompt: fc.constantFrom("c02-locate-files", "p04-plan-work", "p09-change-file", "p11-review-work"),
  effort: fc.constantFrom("low" as const, "high" as const, undefined),
  ...{ usage, tools: fc.array(tool, { maxLength: 3 }), cutOff: fc.boolean(), failed: fc.boolean() },
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

function documentOf(calls: readonly RecordedCall[]): RunDocument {
  const run = readRun(JSON.parse(JSON.stringify(sampleReport({ calls }))));
  if (run === undefined) throw new Error("not read as a run");
  return runDocument(run);
}

/** All blocks of the section of calls, those of its groups and folds too. */
const blocksOf = (body: readonly Block[]): readonly Block[] =>
  body.flatMap((block) => ("body" in block ? [block, ...blocksOf(block.body)] : [block]));

const callBlocks = ({ sections }: RunDocument) => blocksOf(sections.find(({ id }) => id === "calls")?.body ?? []);

const figure = (text = "") => Number(text.replace(/[$,]| s$/g, ""));

const sum = (values: readonly number[]) => values.reduce((total, one) => total + one, 0);

const onOneLine = (text: string) => text.replace(/\s+/g, " ");

/** All numbers of a text. */
const numbersIn = (text = "") => [...text.matchAll(/\$?\d[\d,]*(?:\.\d+)?/g)].map(([found]) => figure(found));

function expectAgreement(document: RunDocument): void {
  const blocks = callBlocks(document);
  const tables = blocks.flatMap((block) => (block.kind === "table" ? [block] : []));
  const [byPrompt, byCall] = tables;
  const facts = Object.fromEntries(blocks.flatMap((block) => (block.kind === "facts" ? block.rows : [])));
  const head = Object.fromEntries(document.facts);
  if (byPrompt === undefined || byCall === undefined) throw new Error("no tables");
  for (const { sum: all, rows } of tables) {
    for (const at of all.keys()) {
      if (at > 0) expect(sum(rows.map((row) => figure(row[at])))).toBeCloseTo(figure(all[at]), 6);
    }
  }
  const cell = (name: string) => byPrompt.sum[byPrompt.head.indexOf(name)];
  expect(byCall.sum.slice(1)).toEqual(byPrompt.sum.slice(2, -3));
  expect(byCall.rows.length).toBe(figure(cell("calls")));
  expect(head.cost).toBe(`${facts.money}, ${facts.tokens?.split(":")[0]} tokens`);
  expect(cell("money")).toBe(facts.money);
  expect(numbersIn(head.calls)[0]).toBe(figure(cell("calls")));
  expect(numbersIn(facts.calls)[0]).toBe(figure(cell("calls")));
  expect(numbersIn(facts["sequential calls"])[0]).toBe(numbersIn(head.calls)[1]);
  const [tokens = 0, ...kinds] = numbersIn(facts.tokens);
  expect(sum(kinds)).toBe(tokens);
  const columns = ["uncached", "written", "read", "out", "failed"].filter((name) => byPrompt.head.includes(name));
  expect(kinds).toEqual(columns.map((name) => figure(cell(name))));
  if (facts.effort !== undefined) {
    const parts = facts.effort.split("; ").map((part) => numbersIn(part));
    const whole = [figure(cell("calls")), tokens, figure(cell("money"))];
    for (const [at, one] of whole.entries()) expect(sum(parts.map((part) => part[at] ?? 0))).toBeCloseTo(one, 6);
  }
  for (const block of blocks) {
    if (block.kind === "group" && block.title === "Looked up") {
      const [items] = block.body.flatMap((one) => (one.kind === "list" ? [one.items] : []));
      expect((items ?? []).flatMap((item) => item.split("; ")).length).toBe(figure(facts["look-ups"]));
    }
    if (block.kind === "bars") {
      const shown = block.rows.map(({ shares }) => shares.map((share) => Math.round(share * 100)));
      expect(shown).toEqual(byPrompt.rows.map((row) => row.slice(-3).map(Number)));
    }
  }
}

describe("the figures of a run", () => {
  it("agree: head, sections, tables and their sums", () => {
    expectAgreement(documentOf(sampleReport().calls));
    fc.assert(
      fc.property(madeCalls, (calls) => expectAgreement(documentOf(calls))),
      { numRuns: 30 },
    );
  });

  it("are the same on the terminal and in the page", () => {
    const document = documentOf(sampleReport().calls);
    const page = onOneLine(renderPage(document).replace(/<[^>]*>/g, " "));
    const terminal = onOneLine(renderTerminal(document, { columns: 300, colours: false }));
    for (const block of callBlocks(document)) {
      const texts =
        block.kind === "table"
          ? [...block.rows, block.sum].flat()
          : block.kind === "facts"
            ? block.rows.map(([, value]) => value)
            : [];
      for (const text of texts) for (const shown of [page, terminal]) expect(shown).toContain(text);
    }
    for (const [, value] of document.facts) for (const shown of [page, terminal]) expect(shown).toContain(value);
  });

  it("come of the run's own count where no call is kept", () => {
    const run = readRun(JSON.parse(JSON.stringify(sampleReport({ calls: [] }))));
    expect(run && Object.fromEntries(runDocument(run).facts)).toMatchObject({
      cost: "$0.0760, 34,600 tokens",
      calls: "7",
    });
  });
});
