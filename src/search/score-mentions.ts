import { createPathMatcher, type PathMatch } from "./create-path-matcher.ts";
import { findDefinitions } from "./find-definitions.ts";
import type { Evidence, IndexedFile } from "./ranking-types.ts";
import type { MentionWeights } from "./ranking-weights.ts";
import type { Mentions } from "./read-mentions.ts";

const MAX_SHARERS = 8;

/** What the issue names, as scores of single files. A name that fits many files says little of each of them. */
export function scoreMentions(files: readonly IndexedFile[], mentions: Mentions, weights: MentionWeights): Evidence[] {
  const { frames, paths, modules, symbols } = mentions;
  const matcher = createPathMatcher(
    files.map(({ path }) => path),
    new Set([...frames.map(({ path }) => path), ...paths, ...modules.flatMap(tails)].map(lastPart)),
  );
  const evidence: Evidence[] = [];
  const give = ({ files: found }: PathMatch, worth: number, reason: string) => {
    if (found.length > MAX_SHARERS) return;
    for (const file of found) evidence.push({ file, score: worth / found.length, reason: () => reason });
  };
  frames.forEach(({ path, line }, depth) => {
    const match = matcher.path(path);
    if (match.parts > 1 || !path.includes("/") || match.files.length === 1)
      give(match, (weights.frame * sureness(match)) / (1 + depth / 4), `named in the stack trace, line ${line}`);
  });
  for (const path of paths) {
    const match = matcher.path(path);
    if (match.parts > 1 || !path.includes("/")) give(match, weights.path * sureness(match), `the issue names ${path}`);
  }
  for (const parts of modules) {
    const match = tails(parts)
      .map((name) => matcher.module(name.split("/")))
      .reduce((best, next) => (next.parts > best.parts ? next : best));
    if (match.parts > 1) give(match, weights.module, `the issue names the module ${parts.join(".")}`);
  }
  for (const { name, files: holders } of findDefinitions(files, symbols)) {
    if (holders.length > MAX_SHARERS) continue;
    const score = weights.symbol / Math.sqrt(holders.length);
    for (const file of holders) evidence.push({ file, score, reason: () => `defines \`${name}\`` });
  }
  return evidence;
}

/** `a.b.c` may be the module a/b/c, or something in the module a/b. */
function tails(parts: readonly string[]): string[] {
  return [parts, parts.slice(0, -1), parts.slice(0, -2)]
    .filter((tail) => tail.length > 1)
    .map((tail) => tail.join("/"));
}

function lastPart(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1).toLowerCase();
}

function sureness({ parts }: PathMatch): number {
  return parts > 1 ? 1 : 0.7;
}
