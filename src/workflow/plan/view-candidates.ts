import path from "node:path";
import type { PlanningView } from "../../agents/manager.ts";
import type { IssueSnapshot } from "../../domain/issue/issue-snapshot.ts";
import type { Candidate } from "../../domain/plan/candidate.ts";
import { classifyFile } from "../../domain/ranking/classify-file.ts";
import { issueTerms } from "../../domain/ranking/issue-terms.ts";
import type { SourceParser } from "../../ports/source-parser.ts";
import type { LookAround } from "../look-around.ts";
import { viewFile } from "../view-file.ts";

/** Characters of all files together, about a quarter as many tokens: the Manager can look up more. */
const BUDGET = 18_000;
/** Characters of one file, of one that may have to change and of one that is only to be known. */
const MOST_OF_ONE = 8_000;
const MOST_TO_READ = 2_000;
/** Less of a file tells nothing. */
const LEAST = 600;
const MOST_TESTS = 6;

/**
 * What the Manager is shown of the candidates: those that may have to change first, as much of each as there is room
 * for, long ones by the parts that have to do with the issue.
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
  for (const { path, summary, use } of byUse(candidates)) {
    const budget = Math.min(room, use === "read" ? MOST_TO_READ : MOST_OF_ONE);
    if (budget < LEAST) {
      others.push({ path, summary });
      continue;
    }
    const view = await viewFile(path, await look.read(path), { parser, terms, budget });
    room -= view.content.length;
    files.push({ path, ...view });
  }
  return { files, others, tests: testsOf(candidates, look.paths()) };
}

const byUse = (candidates: readonly Candidate[]) => [
  ...candidates.filter(({ use }) => use !== "read"),
  ...candidates.filter(({ use }) => use === "read"),
];

/** Tests by the names of the candidates: `parse.test.ts`, `test_parse.py`, `ParseTest.java` for `parse`. */
function testsOf(candidates: readonly Candidate[], paths: readonly string[]): string[] {
  const tests = paths.filter((one) => classifyFile({ path: one, mode: "100644", size: 1 }).group === "test");
  const names = byUse(candidates).map((candidate) => nameOf(candidate.path));
  const matching = names.flatMap((name) => tests.filter((test) => name.length > 2 && nameOf(test) === name));
  const known = new Set(candidates.map((candidate) => candidate.path));
  return [...new Set(matching)].filter((test) => !known.has(test)).slice(0, MOST_TESTS);
}

const nameOf = (file: string) =>
  path.posix
    .basename(file)
    .toLowerCase()
    .replace(/\..*$/, "")
    .replace(/^(?:tests?|specs?)[_-]|[_-]?(?:tests?|specs?)$/g, "");
