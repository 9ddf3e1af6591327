import { expect, it } from "@jest/globals";
import { pullRequestBody } from "../../src/report/pull-request-body.ts";
import { OUTCOME, PULL_REQUEST } from "./text-samples.ts";

it("begins with the template, ends with the folded parts and keeps the reading order", () => {
  const description = { ...PULL_REQUEST.description, template: "## Checklist\n\n- [ ] tests: not done" };
  const plan = { ...PULL_REQUEST.plan, meeting: [{ speaker: "Manager", text: "Let us begin." }] };
  const outcomes = [{ ...OUTCOME, status: "failed" } as const];
  const body = pullRequestBody({ ...PULL_REQUEST, outcomes, plan, description });
  const headings = body.match(/^(?:## .*|<details>.*|\*\*(?:The plan|Who did what|What it cost)\*\*|Part of #7)$/gm);
  expect(headings).toEqual([
    "## Checklist",
    "Part of #7",
    "## What was wrong",
    "## What changed",
    "## Tested",
    "## Not considered",
    "<details><summary>The plan, who did what, and what it cost: $0.0901</summary>",
    "**The plan**",
    "**Who did what**",
    "**What it cost**",
    "<details><summary>The kick-off meeting</summary>",
  ]);
});

it("says once what changed when the solution repeats the files' summaries", () => {
  const outcomes = [OUTCOME, { ...OUTCOME, taskId: "t2", path: "src/tax.js", summary: "It is used." }];
  const solution = outcomes.map(({ summary }) => summary).join("\n");
  const body = pullRequestBody({ ...PULL_REQUEST, outcomes, description: { ...PULL_REQUEST.description, solution } });
  expect(body).toContain("## What changed\n\n- `");
  expect(body.split("It is used.")).toHaveLength(2);
});

it("says when the Manager's plan was not followed", () => {
  const plan = { ...PULL_REQUEST.plan, fallback: "The model's answer could not be used: Missing: t2." };
  expect(pullRequestBody({ ...PULL_REQUEST, plan })).toContain(
    "The Manager's own order could not be used, so the tasks were done one after the other",
  );
});
