import path from "node:path";
import type { PlanningView } from "../../agents/manager.ts";
import { readText } from "../../domain/edit/read-text.ts";
import type { IssueSnapshot } from "../../domain/issue/issue-snapshot.ts";
import type { Candidate } from "../../domain/plan/candidate.ts";
import { classifyFile } from "../../domain/ranking/classify-file.ts";
import { issueTerms } from "../../domain/ranking/issue-terms.ts";
import type { SourceParser } from "../../ports/source-parser.ts";
import type { LookAround } from "../look-around.ts";
import { viewFile } from "../view-file.ts";

/** Characters of all files together, about a quarter as many tokens: the Manager can look up more. */
const BUDGET = 20_000;
/** Characters of one file, of one that may have to change and of one that is only to be known. */
const MOST_OF_ONE = 8_000;
const MOST_TO_READ = 2_000;
/** Less of a file tells nothing. */
const LEAST = 600;
const MOST_TESTS = 6;
/** Lines of a function that is shown because shown code calls it. */
const LONGEST_HELPER = 20;
const CALL = /([\p{L}_$][\p{L}\p{N}_$]{2,})\s*\(/gu;

/**
 * What the Manager is shown of the candidates: those that may have to change first, as much of each as there is room
 * for, long ones by the declarations that the Custodian has named and the parts that have to do with the issue. Tests
 * come by their names alone: what stands in them is for the Developer who extends them.
 */
export async function viewCandidates(deps: {
  readonly issue: IssueSnapshot;
  readonly candidates: readonly Candidate[];
  readonly look: LookAround;
  readonly parser: SourceParser;
}): Promise<PlanningView> {
  const { issue, candidates, look, parser } = deps;
  const hints = [issue.hint, ...issue.discussion.map(({ body }) => body)];
  const terms = issueTerms({ title: issue.title, body: issue.body, hints });
  const files: PlanningView["files"][number][] = [];
  const others: PlanningView["others"][number][] = [];
  let room = BUDGET;
  // What the shown code calls is wanted of the files that follow.
  const called = new Set<string>();
  for (const { path: file, summary, use, names = [] } of byUse(candidates)) {
    const budget = Math.min(room, use === "read" ? MOST_TO_READ : MOST_OF_ONE);
    if (budget < LEAST) {
      others.push({ path: file, summary });
      continue;
    }
    const content = await look.read(file);
    const wanted = await declarationsOf(file, content, { names, called }, parser);
    const view = await viewFile(file, content, { parser, terms, wanted, budget });
    room -= view.content.length;
    for (const [, name = ""] of view.content.matchAll(CALL)) called.add(name);
    files.push({ path: file, ...view });
  }
  return { files, others, tests: testsOf(candidates, look.paths()) };
}

/** The likeliest first: named by the Custodian from the map, then as they were ranked; what is only to be read last. */
function byUse(candidates: readonly Candidate[]): readonly Candidate[] {
  const source = candidates.filter(({ path: file }) => !isTest(file));
  const change = source.filter(({ use }) => use !== "read");
  const named = change.filter(({ score }) => score === 0);
  return [...named, ...change.filter(({ score }) => score > 0), ...source.filter(({ use }) => use === "read")];
}

async function declarationsOf(
  file: string,
  content: Uint8Array | undefined,
  { names, called }: { readonly names: readonly string[]; readonly called: ReadonlySet<string> },
  parser: SourceParser,
) {
  const lines = content && names.length + called.size > 0 ? readText(content)?.lines : undefined;
  const symbols = (lines && (await parser.symbols(file, lines.join("")))) ?? [];
  const helpers = symbols.filter(
    ({ name, start, end }) => called.has(name) && end > start && end - start < LONGEST_HELPER,
  );
  const chosen = names.flatMap((written) => {
    const name = written
      .replace(/\(.*$/s, "")
      .split(/\.|::|#/)
      .at(-1)
      ?.trim();
    const found = symbols.find((symbol) => symbol.name === name);
    return found ? [found] : [];
  });
  return [...chosen, ...helpers];
}

const isTest = (file: string) => classifyFile({ path: file, mode: "100644", size: 1 }).group === "test";

/** Tests among the candidates, then those by their names: `parse.test.ts`, `test_parse.py`, `ParseTest.java` for `parse`. */
function testsOf(candidates: readonly Candidate[], paths: readonly string[]): string[] {
  const chosen = candidates.map((candidate) => candidate.path).filter(isTest);
  const tests = paths.filter(isTest);
  const names = byUse(candidates).map((candidate) => nameOf(candidate.path));
  const matching = names.flatMap((name) => tests.filter((test) => name.length > 2 && nameOf(test) === name));
  return [...new Set([...chosen, ...matching])].slice(0, MOST_TESTS);
}

const nameOf = (file: string) =>
  path.posix
    .basename(file)
    .toLowerCase()
    .replace(/\..*$/, "")
    .replace(/^(?:tests?|specs?)[_-]|[_-]?(?:tests?|specs?)$/g, "");
