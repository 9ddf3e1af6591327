import type { FileGroup } from "./file-kind.ts";
import type { IssueText } from "./ranking-types.ts";
import type { GroupWeights } from "./ranking-weights.ts";

/** How a title says that the issue is about the files of a group. */
const ABOUT: readonly (readonly [FileGroup, RegExp])[] = [
  [
    "test",
    /^tests?\b|\b(?:flaky|unit tests?|test suite|test cases?|failing tests?|(?:add|update|fix|skip)(?:ing|ed)? tests?|test coverage)\b/i,
  ],
  ["fixture", /\b(?:fixtures?|test data|snapshots?)\b/i],
  ["documentation", /^docs?\b|\b(?:documentation|docs|readme|changelog|docstrings?|typos?|broken links?)\b/i],
  ["example", /\b(?:examples?|demos?|sample)\b/i],
  ["locale", /\b(?:locales?|translations?|translate|i18n|l10n|mistranslat\w+)\b/i],
  [
    "config",
    /^(?:ci|build|chore)\b|\b(?:workflow|github actions|docker(?:file)?|makefile|eslint|tsconfig|dependenc(?:y|ies)|package\.json)\b/i,
  ],
];

/** What a file's group does to its score: tests, documentation and the like are held down, unless the title asks for them. */
export function groupWeights(issue: IssueText, usual: GroupWeights): GroupWeights {
  const weights = { ...usual };
  for (const [group, pattern] of ABOUT) if (pattern.test(issue.title)) weights[group] = Math.max(weights[group], 0.9);
  return weights;
}
