import { formatMoney } from "../../model/format-spend.ts";
import type { ShownRun } from "../../model/run-shape.ts";
import type { RunDocument, Section } from "./block.ts";
import { callsSection } from "./calls-section.ts";
import { candidatesSection } from "./candidates-section.ts";
import { codeSection } from "./code-section.ts";
import { countCalls } from "./count-calls.ts";
import { describePath } from "./describe-path.ts";
import { endBadge } from "./end-badge.ts";
import { formatCount, formatMoment, formatTime } from "./formats.ts";
import { issueSection } from "./issue-section.ts";
import { otherSection } from "./other-section.ts";
import { planSection } from "./plan-section.ts";
import { resultSection } from "./result-section.ts";

/** A run, role by role, as it is shown on the terminal and in a page. */
export function runDocument(run: ShownRun): RunDocument {
  const name = `${run.repository}${run.number === undefined ? "" : `#${run.number}`}`;
  const other = otherSection(run);
  const sections: Section[] = [
    issueSection(run),
    candidatesSection(run),
    planSection(run),
    codeSection(run),
    resultSection(run),
    callsSection(run),
    ...(other ? [other] : []),
  ];
  return {
    title: run.title === "" ? name || run.id : run.title,
    subtitle: name === "" ? run.id : `${name}, run ${run.id}`,
    badge: endBadge(run.state?.result?.kind),
    facts: facts(run).filter(([, value]) => value !== ""),
    sections,
  };
}

function facts({ requestedAt, state, calls }: ShownRun): (readonly [string, string])[] {
  const { calls: number, tokens, money } = calls.length > 0 ? countCalls(calls) : (state?.spend ?? countCalls([]));
  const elapsed = state?.spend?.elapsed ?? 0;
  return [
    ["asked for", requestedAt === "" ? "" : formatMoment(requestedAt)],
    ["cost", `${formatMoney(money)}, ${formatCount(tokens)} tokens`],
    ["calls", `${number}${calls.length > 0 ? `, ${describePath(calls).calls} of them one after another` : ""}`],
    ["time", elapsed > 0 ? formatTime(elapsed) : ""],
  ];
}
