import { termsOf } from "./terms-of.ts";

const MOST_FILES = 6;
const MOST_TERMS = 8;

interface MapLine {
  readonly path: string;
  readonly names: readonly string[];
}

/**
 * Reads the map in the prompt mechanically: files that are not in the list above it, by how many of the terms
 * their path and declared names hold (rare terms count more), and as terms the names declared by the best of them. It
 * has no understanding, so it can only find what shares a word with the issue.
 */
export function readMapByRule(text: string): {
  files: { path: string; reason: string }[];
  terms: string[];
} {
  const start = text.indexOf("You are the Repository Custodian");
  const wanted = termsOf(text.slice(0, start).replace(/^(?:# The issue|Title, description.*)$/gm, ""));
  const found = new Set([...text.slice(start).matchAll(/^- `(.+)`$/gm)].map(([, path]) => path));
  const lines = readMap(text.slice(text.indexOf("```", start)));
  const shared = lines.map(({ path, names }) => {
    const own = termsOf([path, ...names].join(" "));
    return [...wanted].filter((term) => own.has(term));
  });
  const holders = new Map<string, number>();
  for (const terms of shared) for (const term of terms) holders.set(term, (holders.get(term) ?? 0) + 1);
  const weigh = (terms: readonly string[]) =>
    terms.reduce((sum, term) => sum + Math.log(1 + lines.length / (holders.get(term) ?? 1)), 0);
  const best = lines
    .map((line, i) => ({ ...line, terms: shared[i] ?? [] }))
    .filter(({ terms, path }) => terms.length > 0 && !found.has(path))
    .sort((a, b) => weigh(b.terms) - weigh(a.terms) || (a.path < b.path ? -1 : 1))
    .slice(0, MOST_FILES);
  return {
    files: best.map(({ path, terms }) => ({ path, reason: `declares ${terms.join(", ")}` })),
    terms: [...new Set(best.slice(0, 2).flatMap(({ names }) => names.slice(0, 4)))].slice(0, MOST_TERMS),
  };
}

/** The map's files: a line `folder/`, then for each file an indented `name: declared, names`. */
function readMap(map: string): MapLine[] {
  let folder = "";
  return map.split("\n").flatMap((line): MapLine[] => {
    const [, name, names = ""] = /^ {2}([^:]+)(?:: (.*))?$/.exec(line) ?? [];
    if (name !== undefined) return [{ path: `${folder}${name}`, names: names.split(", ").filter((one) => one !== "") }];
    if (/^\S.*\/$/.test(line)) folder = line === "./" ? "" : line;
    return [];
  });
}
