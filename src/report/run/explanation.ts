import type { Verb } from "../../data/command.ts";
import { readRun, type ShownRun } from "../../data/read-record.ts";
import type { StoredRecord } from "../../data/run-record.ts";
import { type RunRequest, repositoryName } from "../../data/run-request.ts";
import type { RunState } from "../../data/run-state.ts";
import { codeBlock, codeSpan, fold, plain } from "../../text/compose-markdown.ts";
import { commandFoot } from "../commands.ts";
import { type Element, mapTexts, type Node, nodesOf, plainText, type Section, type Words } from "./document.ts";
import { runDocument } from "./run-document.ts";

/** A run that is kept. */
export interface ExplainedRun {
  request: RunRequest;
  /** it works or is queued */
  isOpen: boolean;
  state: RunState | undefined;
  record: StoredRecord;
}

/**
 * The answer to `/magis explain`: the document of each run, as `magis show` prints it, in Markdown, without what stands
 * on the issue and the pull request anyway. For two runs it stays below GitHub's limit.
 */
export function explanationText(runs: readonly ExplainedRun[], verbs: readonly Verb[]): string {
  const parts = runs.length === 0 ? [NO_RUN] : runs.map(explained);
  const foot = `This is what is kept; no model was asked. \`magis show\` has all of it. ${commandFoot(verbs)}`;
  return [...parts, `<sub>${foot}</sub>`].join("\n\n");
}

const NO_RUN = "Nothing is kept of any run here: there has been none, or it was so long ago that it has been deleted.";

/** The issue is above the comment; calls, and parts that this version does not know, are for whoever runs the bot. */
const LEFT_OUT: ReadonlySet<string> = new Set(["issue", "calls", "other"]);

function explained(kept: ExplainedRun): string {
  // Shortened first: to read Markdown takes time.
  const { sections } = runDocument(mapTexts(shownRun(kept), shortened));
  const [outcome, ...others] = sections.filter(({ id }) => !LEFT_OUT.has(id));
  const isKept = kept.isOpen || kept.state?.result !== undefined;
  const ended = isKept && outcome ? `${words(outcome.title)}.\n\n${fitted(outcome)}` : "How it ended is not kept.";
  const how = others.map((section) => `#### ${words(section.title)}\n\n${fitted(section)}`);
  if (how.length === 0) how.push("Nothing is kept of how it came about.");
  return [`**${nameOf(kept.request)}** ${ended}`.trim(), ...how].join("\n\n");
}

function shownRun({ request, isOpen, state, record }: ExplainedRun): ShownRun {
  const { id, repository, issue, requestedAt, work } = request;
  // A run that goes on still has its earlier end in its state.
  const now = isOpen && state ? { ...state, result: undefined } : state;
  const name = repositoryName(repository);
  const facts = { id, repository: name, number: issue, title: "", requestedAt, work: work.kind };
  const run = readRun({ ...facts, state: now, record, calls: [] });
  if (run === undefined) throw new Error("what is kept of a run was not read as one");
  return run;
}

function nameOf({ work, actor, requestedAt }: ExplainedRun["request"]): string {
  const run = `The run of ${plain(requestedAt.replace("T", " ").slice(0, 16))} UTC`;
  switch (work.kind) {
    case "resolve":
      return `${run}, which ${plain(actor)} asked for.`;
    case "revise":
      return `${run} on the pull request, for its open feedback.`;
    case "repair":
      return `${run} on the pull request, for its failing checks.`;
    case "update":
      return `${run} on the pull request, whose base had moved on.`;
    default:
      // A kind of work that only an earlier version did.
      return `${run} on the pull request.`;
  }
}

/** Characters of one text. */
const MAX_TEXT = 500;

function shortened(text: string): string {
  return text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT).replace(/[\ud800-\udbff]$/, "")}…`;
}

/** Characters of a section that stay unfolded, and of all of it: a run has five, and GitHub's limit is 65,536. */
const SHOWN = 1_500;

const ROOM = 5_000;

/** A section's blocks, as many as fit; those behind the first are folded. */
function fitted({ body }: Section): string {
  const [shown, folded]: [string[], string[]] = [[], []];
  let length = 0;
  for (const node of body) {
    for (const block of blocksOf([node])) {
      length += block.length + 2;
      if (length <= ROOM) (length <= SHOWN || shown.length === 0 ? shown : folded).push(block);
    }
    if (length <= ROOM) continue;
    folded.push("_The rest is not shown here; the run's record keeps it._");
    break;
  }
  return [...shown, fold("More", folded.join("\n\n"))].join("\n\n").trim();
}

const blocksOf = (nodes: readonly Node[]): string[] => nodes.flatMap(blocksOfNode).filter((block) => block !== "");

/** A node as Markdown. Diffs are left out: the pull request shows them. */
function blocksOfNode(node: Node): string[] {
  if (typeof node === "string") return [words([node])];
  const { tag, attributes, children } = node;
  const [head, ...rest] = children;
  switch (tag) {
    case "h4":
      return [`**${words(children)}**`];
    case "dl":
      return [children.map(factLine).join("\n")];
    case "ul":
      return [children.map((item) => listItem("-", item)).join("\n")];
    case "ol":
      return [children.map((item, at) => listItem(`${at + 1}.`, item)).join("\n")];
    case "pre":
      return attributes.class === "box diff" ? [] : [codeBlock(plainText(children), "")];
    case "div":
      return [rowsIn(children).map(rowLine).join("\n")];
    case "blockquote":
      return [quoted(blocksOf(children))];
    case "figure":
      return [`**${heading(head)}:**`, ...blocksOf(rest)];
    case "details":
      return [fold(heading(head), blocksOf(rest).join("\n\n"))];
    case "section":
      return [`**${heading(head)}**`, ...blocksOf(rest)];
    default:
      return tag === "hr" ? [] : [words([node])];
  }
}

const childrenOf = (node: Node | undefined) => (typeof node === "object" ? node.children : []);

/** A title with its badge and note in brackets. GitHub shows no code in the title of a fold. */
function heading(node: Node | undefined): string {
  const [title, ...marks] = childrenOf(node);
  const said = marks.map((mark) => `(${words([mark])})`);
  return [words([plainText(childrenOf(title))]), ...said].join(" ");
}

function factLine(row: Node): string {
  const [name, value] = childrenOf(row);
  return `- ${words(childrenOf(name))}: ${words(childrenOf(value))}`;
}

/** What is posted may hold code only where that begins a line: an item that begins with it gets an ellipsis before it. */
function listItem(mark: string, item: Node): string {
  const text = blocksOf(childrenOf(item)).join("\n\n");
  return `${mark} ${/^(?:```|>)/.test(text) ? "…\n\n" : ""}${text}`.replaceAll("\n", "\n   ");
}

const rowLine = (row: Element) => `- ${row.children.map((cell) => words(childrenOf(cell))).join("; ")}`;

const rowsIn = (nodes: readonly Node[]): readonly Element[] =>
  nodes.flatMap((node) => {
    if (typeof node === "string") return [];
    return node.tag === "tr" ? [node] : rowsIn(node.children);
  });

const quoted = (blocks: readonly string[]) => `> ${blocks.join("\n\n").replaceAll("\n", "\n> ")}`;

/** Words as one line of Markdown, safe to post: what is text in the document is text on GitHub. */
const words = (content: Words): string => plain(inline(nodesOf(content)));

const EMPHASIS: Readonly<Record<string, string>> = { strong: "**", em: "*", s: "~~" };

const inline = (nodes: readonly Node[]): string =>
  nodes
    .map((node) => {
      if (typeof node === "string") return node.replace(MARKUP, (mark) => `&#${mark.charCodeAt(0)};`);
      const { tag, children } = node;
      if (tag === "code") return codeSpan(plainText(children));
      const mark = EMPHASIS[tag] ?? "";
      return `${mark}${inline(children)}${mark}`;
    })
    .join("");

/** What Markdown would take for markup. */
const MARKUP = /[\\`*~[\]]|(?<!\w)_|_(?!\w)/g;
