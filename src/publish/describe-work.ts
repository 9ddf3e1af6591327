import { readText } from "../code/edits/text-file.ts";
import type { IssueSnapshot } from "../data/discussion.ts";
import { isAnswerError } from "../data/error.ts";
import type { Log } from "../data/log.ts";
import type { PlannedDescription } from "../data/plan.ts";
import { limitReached } from "../data/spend.ts";
import type { TaskOutcome } from "../data/work.ts";
import type { Repository } from "../git/repository.ts";
import type { ChangeDescription, Manager } from "../models/agents.ts";
import { cutEnd } from "../text/cut.ts";
import { either } from "../text/patterns.ts";
import { documentText } from "../text/shown-text.ts";

/** The Manager sees no more of the diffs than this; the pull request has them whole. */
const MAX_DIFF = 40_000;

/**
 * The pull request's title and description. The change is made already: when the model cannot describe it, or the
 * budget is used up, the agents' own summaries must do.
 */
export async function describeWork(deps: {
  manager: Manager;
  issue: IssueSnapshot;
  outcomes: readonly TaskOutcome[];
  diffs: ReadonlyMap<string, string>;
  template: string;
  /** for a part of the template that asks about AI; absent: none is filled in */
  disclosure?: string;
  /** the Manager's own, from planning: then no call is made */
  planned?: PlannedDescription | undefined;
  log: Log;
}): Promise<ChangeDescription> {
  const { manager, issue, outcomes, diffs, planned, log, disclosure = "" } = deps;
  // A template's comments are for people who fill it in by hand.
  const template = documentText(deps.template);
  const changes = [...diffs].map(([path, diff]) => ({
    path,
    summary: summaryOf(path, outcomes),
    diff: cutEnd(diff, MAX_DIFF),
  }));
  const solution = changes.map(({ summary }) => summary).join("\n");
  if (planned)
    return {
      ...planned,
      solution,
      template: fillTemplate(template, { ...planned, solution, disclosure }, issue.number),
    };
  try {
    return await manager.describeChange(
      issue,
      changes.map(({ summary, diff }) => ({ summary, diff })),
      template,
    );
  } catch (error) {
    if (!isAnswerError(error) && limitReached(error) === undefined) throw error;
    log.warn({ error }, "could not describe the pull request; using the agents' summaries");
    return { type: "fix", title: issue.title, problem: "", solution, template };
  }
}

const HEADING = /^(?:#{1,6}\s(.+)|\*\*(.+)\*\*:?)$/;

/**
 * What the headings of templates ask for, and what there is to say; each is said once, at the first heading that asks.
 */
const TOPICS = [
  ["disclosure", /\b(?:AI|LLMs?|artificial intelligence|generative)\b/i],
  ["problem", /\b(?:why|motivation|problem|context|background|rationale|reason)\b/i],
  ["tests", /\b(?:tests?|tested|testing|verif\w*|qa)\b/i],
  ["solution", /\b(?:what|summary|descri\w*|overview|changes?|solution|propos\w*|details)\b/i],
  ["issue", /\b(?:issues?|tickets?|related|references?|links?|fixes|closes|resolves)\b/i],
] as const;

const BOX = /^(\s*[-*+] )\[ \](?=\s)/;

/** A box that asks whether a machine wrote the change, and not whether none did. */
const BY_MACHINE = either(
  "i",
  /\b(?:AI|LLM|machine|agent)\b.{0,30}\b(?:generated|assisted|written|wrote|used)\b/,
  /\b(?:generated|assisted|written|made|used?|using)\b.{0,30}\b(?:AI|LLM|agent)\b/,
);

const DENIED = /\b(?:no|not|never|without|none)\b|n't\b/i;

/**
 * Fills in a template: what is known goes below the heading that asks for it; the pull request's body has the rest.
 * Headings, their order and boxes stay, except for a box that is true.
 */
function fillTemplate(
  template: string,
  { problem, solution, disclosure }: Readonly<Record<"problem" | "solution" | "disclosure", string>>,
  issue: number,
): string {
  if (template === "") return "";
  const words = {
    disclosure,
    problem,
    solution,
    tests: "What was run, and what was not, is told below.",
    issue: issue > 0 ? `#${issue}` : "",
  };
  const said = new Set<string>();
  return template
    .split("\n")
    .flatMap((line) => {
      if (BOX.test(line) && BY_MACHINE.test(line) && !DENIED.test(line)) return [line.replace(BOX, "$1[x]")];
      const [, one, other] = HEADING.exec(line.trimEnd()) ?? [];
      const [topic] = TOPICS.find(([, asks]) => asks.test(one ?? other ?? "")) ?? [];
      if (topic === undefined || said.has(topic) || words[topic] === "") return [line];
      said.add(topic);
      return [line, "", words[topic]];
    })
    .join("\n");
}

const summaryOf = (path: string, outcomes: readonly TaskOutcome[]) =>
  outcomes
    .filter((outcome) => outcome.path === path)
    .map(({ summary }) => summary)
    .join(" ");

/** Where GitHub looks for a template, in its order. */
const PLACES = /^(?:\.github\/|docs\/|)pull_request_template(?:\.md|\.txt)?$/i;

const MAX_CHARACTERS = 10_000;

/** The repository's pull request template, or "". Also "" for a folder of several: a person would choose. */
export async function pullRequestTemplate({ entries, readBlob }: Repository): Promise<string> {
  const found = [...entries.values()].find(({ path, mode }) => PLACES.test(path) && mode.startsWith("100"));
  const text = found && readText(await readBlob(found.blob))?.lines.join("");
  return text !== undefined && text.length <= MAX_CHARACTERS ? text.trim() : "";
}
