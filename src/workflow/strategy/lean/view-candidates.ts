import { firstCodeLine } from "../../../edits/numbered.ts";
import { readText } from "../../../edits/text-file.ts";
import type { IssueSnapshot } from "../../../model/discussion.ts";
import type { Candidate } from "../../../model/plan.ts";
import type { SourceParser } from "../../../ports/source-parser.ts";
import { classifyFile, isTestPath } from "../../../search/classify-file.ts";
import { issueTerms } from "../../../search/file-indexer.ts";
import { codeWords } from "../../../search/terms.ts";
import type { PlanningView } from "./agents.ts";
import type { RepositoryView } from "./repository-view.ts";
import { viewFile } from "./view-file.ts";
import { viewChangelog, viewTests } from "./view-tests.ts";

/** Characters of all files together, about a quarter as many tokens: the Manager can look up more. */
const BUDGET = 18_000;

/** Characters of one file: of one that may have to change, of one that is only to be known, of a document. */
const MAX_OF_ONE = 8_000;

/** A shorter file that may have to change is shown whole. */
const WHOLE = 7_000;

const MAX_TO_READ = 2_400;

const MAX_OF_DOCUMENT = 1_500;

/** The part of the budget that is for files that may have to change. */
const CHANGE_SHARE = 0.8;

/** Less of a file tells nothing. */
const LEAST = 600;

/** Lines of a declaration that the Custodian names, and of the head of a longer one. */
const MAX_CHOSEN_LENGTH = 90;

const HEAD_OF_LONG = 24;

/** The beginning of a file has its imports. */
const HEAD = 10;

/** Lines of a declaration that is shown because the issue names it. */
const MAX_NAMED_LENGTH = 60;

/** Lines of a function that is shown because shown code calls it. */
const MAX_HELPER_LENGTH = 20;

const IDENTIFIER = /[\p{L}_$][\p{L}\p{N}_$]{3,}/gu;

const CALL = /([\p{L}_$][\p{L}\p{N}_$]{2,})\s*\(/gu;

interface ViewInput {
  readonly issue: IssueSnapshot;
  readonly candidates: readonly Candidate[];
  readonly repositoryView: RepositoryView;
  readonly parser: SourceParser;
}

/**
 * What the Manager is shown of the candidates: those that may have to change first, each with its share of the room, long
 * ones by the declarations that the Custodian has named and the parts that have to do with the issue; then what they
 * call in those that are only to be known. Tests come by names: what stands in them is for the Developer who extends them.
 */
export async function viewCandidates({ issue, candidates, repositoryView, parser }: ViewInput): Promise<PlanningView> {
  const hints = [issue.hint, ...issue.discussion.map(({ body }) => body)];
  const terms = issueTerms({ title: issue.title, body: issue.body, hints });
  const text = [issue.title, issue.body, ...hints].join("\n");
  const [said, exact] = [new Set(text.match(IDENTIFIER) ?? []), codeWords(text)];
  const files: PlanningView["files"][number][] = [];
  const others: PlanningView["others"][number][] = [];
  const { change, read } = byUse(candidates);
  const called = new Set<string>();
  let room = BUDGET * CHANGE_SHARE;
  for (const [at, candidate] of [...change, ...read].entries()) {
    const isRead = at >= change.length;
    if (at === change.length) room += BUDGET * (1 - CHANGE_SHARE);
    const left = isRead ? 1 : change.length - at;
    const most = isRead ? MAX_TO_READ : Math.max(room / left, Math.min(room, MAX_OF_ONE) / 2);
    const budget = Math.min(room, most, isDocument(candidate.path) ? MAX_OF_DOCUMENT : MAX_OF_ONE);
    if (budget < LEAST) {
      others.push({ path: candidate.path, summary: candidate.summary || candidate.reasons.join("; ") });
      continue;
    }
    const content = await repositoryView.read(candidate.path);
    const wanted = await declarationsOf(candidate, content, { called, said }, parser);
    const whole =
      !isRead && !isDocument(candidate.path) && (content?.length ?? 0) < WHOLE ? Math.min(room, MAX_OF_ONE) : 0;
    const view = await viewFile(candidate.path, content, {
      parser,
      terms,
      exact,
      wanted,
      budget: Math.max(budget, whole),
    });
    room -= view.content.length;
    for (const [, name = ""] of view.content.matchAll(CALL)) called.add(name);
    files.push({ path: candidate.path, ...view });
  }
  return {
    files,
    others,
    tests: await viewTests(candidates, terms, repositoryView, parser),
    changelog: await viewChangelog(repositoryView),
  };
}

/** The likeliest first: named by the Custodian from the map, then as they were ranked; documents after code. */
function byUse(candidates: readonly Candidate[]) {
  const rank = ({ path, score }: Candidate) => (isDocument(path) ? 2 : score === 0 ? 0 : 1);
  const source = candidates.filter(({ path }) => !isTestPath(path)).sort((a, b) => rank(a) - rank(b));
  return { change: source.filter(({ use }) => use !== "read"), read: source.filter(({ use }) => use === "read") };
}

async function declarationsOf(
  { path, names = [] }: Candidate,
  content: Uint8Array | undefined,
  { called, said }: { readonly called: ReadonlySet<string>; readonly said: ReadonlySet<string> },
  parser: SourceParser,
) {
  const lines = content && readText(content)?.lines;
  const symbols = (lines && (await parser.symbols(path, lines.join("")))) ?? [];
  const head = firstCodeLine(lines ?? []);
  const isHelper = ({ name, start, end }: (typeof symbols)[number]) =>
    called.has(name) && end > start && end - start < MAX_HELPER_LENGTH;
  const chosen = names.flatMap((written) => {
    const parts = written.replace(/\(.*$/s, "").split(/\.|::|#/);
    const [owner, name] = [parts.at(-2)?.trim(), parts.at(-1)?.trim()];
    const named = symbols.filter((symbol) => symbol.name === name);
    const owned = named.filter(({ parent }) => parent === owner);
    return (owned.length > 0 ? owned : named).slice(0, 1).map(({ start, end }) => ({
      start,
      // Of a long class its head; its methods are named themselves.
      end: end - start < MAX_CHOSEN_LENGTH ? end : start + HEAD_OF_LONG,
    }));
  });
  const spoken = symbols.filter(({ name, start, end }) => said.has(name) && end - start < MAX_NAMED_LENGTH);
  return [...chosen, ...spoken, ...symbols.filter(isHelper), { start: head, end: head + HEAD }];
}

const isDocument = (path: string) => classifyFile({ path, mode: "100644", size: 1 }).group === "documentation";
