import { git, listTree, readBlobs } from "../recall/git.ts";
import { listFixes } from "../recall/list-fixes.ts";
import type { EngineQuery } from "./engine.ts";

const COUNT = 60;
const WORDS = 150;

/** Messages of real fixes; of a repository without history, the comments and prose of 60 of its files. */
export async function makeQueries(mirror: string): Promise<EngineQuery[]> {
  if (git(mirror, "rev-list", "-n", "2", "HEAD").trim().includes("\n")) {
    const fixes = listFixes(mirror, COUNT);
    if (fixes.length > 0) return fixes.map(({ title, body }) => ({ title, body }));
  }
  const texts = listTree(mirror, "HEAD").filter(
    ({ path, size = Infinity }) => /\.[cm]?[jt]s$|\.md$/.test(path) && size < 100_000,
  );
  const step = Math.max(1, Math.floor(texts.length / COUNT));
  const chosen = texts.filter((_, i) => i % step === 0).map(({ blob }) => blob);
  const queries: EngineQuery[] = [];
  await readBlobs(mirror, [...new Set(chosen)], (_, bytes) => {
    const words = new TextDecoder().decode(bytes).match(/[A-Za-z][\w.-]+/g) ?? [];
    queries.push({ title: words.slice(0, 8).join(" "), body: words.slice(8, WORDS).join(" ") });
  });
  return queries;
}
