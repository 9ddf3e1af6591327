import type { ShownRun } from "../../data/read-record.ts";
import { hasChange } from "../../data/work.ts";
import { beginning, figure } from "../../text/counted.ts";
import { checkSentence } from "../end-of-run.ts";
import { spendSentence } from "./calls-section.ts";
import {
  code,
  diff,
  type Fact,
  factsOf,
  folded,
  formatMoment,
  h,
  joined,
  linkTo,
  listOf,
  type Node,
  nodesOf,
  paragraph,
  type Section,
  type Tone,
  type Words,
} from "./document.ts";
import { headline } from "./headline.ts";
import { markdownNodes, markdownWords, titleWords } from "./markdown.ts";

/** How the run ended and with what result: the first thing that people want to know. */
export function outcomeSection(run: ShownRun): Section {
  const { state, record } = run;
  const { result } = state ?? {};
  const { text, tone } = headline(run);
  const change = wholeDiff(run);
  const { first, words: last } = record.check ?? {};
  return {
    id: "result",
    title: text,
    tone,
    body: [
      ...endingOf(run, tone),
      ...factsOf(outcomeFacts(run)),
      ...listOf("Questions", (result?.questions ?? []).map(markdownWords)),
      ...listOf("What changed", changesOf(run)),
      ...listOf("Finished", (result?.finished ?? []).map(markdownWords)),
      ...listOf(
        "Not finished",
        (result?.unfinished.length ? result.unfinished : (record.work?.stopped?.unfinished ?? [])).map(markdownWords),
      ),
      ...listOf("Taken back", (result?.undone ?? []).map(markdownWords)),
      ...(change === "" ? [] : [folded({ title: "The change" }, [diff(change)], "open")]),
      ...(first === last ? [] : output("What the check printed at first", first)),
      ...output("What the check printed at the end", last),
      ...listOf(
        "Afterwards",
        (state?.followUps ?? []).map(({ what, outcome }) => `${what}: ${outcome}`),
      ),
      ...listOf("Progress", progressOf(run)),
    ],
  };
}

/** Details beside the headline. */
function endingOf({ state }: ShownRun, tone: Tone): Node[] {
  const { result } = state ?? {};
  if (result === undefined) return [];
  if (result.message !== "") return [paragraph(result.message, tone)];
  const open = result.openThreads + result.openComments;
  if (open > 0) return [paragraph(`The QA Engineers left ${figure(open, "comment")} open.`, "warn")];
  return markdownNodes(beginning(result.reason));
}

function outcomeFacts(run: ShownRun): Fact[] {
  const { state, record, requestedAt } = run;
  const { result, resumed = 0 } = state ?? {};
  const { id = "", branch = "", way = "" } = record.commit ?? {};
  const pullRequest = state?.pullRequest ?? result?.pullRequest;
  const described = record.description ?? record.plan?.description;
  const problem = described?.problem ?? "";
  const cause = (record.plan?.reason || record.tasks?.reason) ?? "";
  const times = resumed === 1 ? "once" : `${resumed} times`;
  const title = record.commit?.title || joined([described?.type, described?.title], ": ");
  return [
    ["Title", titleWords(title)],
    ["Problem", markdownWords(problem)],
    ["Cause", cause.trim() === problem.trim() ? "" : markdownWords(cause)],
    ["Proof", testedWords(run)],
    ["Pull request", pullRequest ? linkTo(pullRequest.url) || `#${pullRequest.number}` : ""],
    ["Commit", joined([id.slice(0, 12), way], ", ")],
    ["Branch", branch],
    ["Asked for", requestedAt === "" ? "" : formatMoment(requestedAt)],
    ["Cost", spendSentence(run)],
    ["Begun again", markdownWords(joined([record.start?.anew, record.start?.renewed], " "))],
    ["Logged as", result?.code ?? ""],
    ["Resumed", resumed === 0 ? "" : `${times}, after the process had stopped`],
  ];
}

/** A sentence on what was run to test the change; nothing when there is no change. */
function testedWords(run: ShownRun): Words {
  const { state, record } = run;
  const said = record.proof?.said || state?.result?.proof?.said;
  if (said) return markdownWords(said);
  if (record.check) return markdownWords(beginning(checkSentence(record.check)));
  if (state?.result?.checked) return markdownWords(state.result.checked);
  return wholeDiff(run) === "" ? "" : "None: no check was run.";
}

/** Each changed file with its Developer's explanation. */
function changesOf({ record }: ShownRun): Words[] {
  return (record.work?.outcomes ?? [])
    .filter((outcome) => hasChange(outcome) && outcome.summary !== "")
    .map(({ path, summary }) => [h("code", {}, path), ": ", ...nodesOf(markdownWords(summary))]);
}

/** The change as one diff. The patch of the work lacks the test that a proof pushed before the fix. */
export function wholeDiff({ state, record }: ShownRun): string {
  const patch = (record.work?.patch || state?.result?.patch) ?? "";
  const outcomes = record.proof ? (record.work?.outcomes ?? []) : [];
  const tests = outcomes
    .filter(({ status }) => status !== "failed")
    .map(({ attempts }) => attempts.at(-1)?.diff ?? "")
    .filter((diff) => !patch.includes(diff.split("\n", 1).join()));
  const diffs = [...tests, patch].map((text) => text.trimEnd());
  return joined(diffs, "\n");
}

const output = (title: string, text = ""): Node[] => (text === "" ? [] : [folded({ title }, [code(text)])]);

/** The phases of a run that did not finish. */
function progressOf({ state }: ShownRun): string[] {
  const { phases = [] } = state ?? {};
  if (phases.every(({ status }) => status === "done" || status === "waiting")) return [];
  return phases.map(({ name, status, detail }) => joined([`${beginning(name)}: ${status}`, detail], ", "));
}
