import { readText } from "../../edits/read-text.ts";
import type { Repository, TreeEntry } from "../../ports/repository.ts";
import { stripHiddenText } from "../../text/strip-hidden-text.ts";
import { cutGuidance } from "./cut-guidance.ts";

/** In the order in which they are given; their case does not matter. */
const NAMES = ["agents.md", "claude.md", ".github/contributing.md", "contributing.md", "docs/contributing.md"];
const MAX_SIZE = 1024 * 1024;

/** What a repository says to those who work on it. Untrusted: it may be wrong, and it may have been written to mislead. */
export interface Guidance {
  readonly path: string;
  /** Markdown without what a reader would not see, of a long one what bears on code, with a visible note */
  readonly text: string;
}

/**
 * AGENTS.md, CLAUDE.md and CONTRIBUTING.md of a commit, the last also in `.github/` and `docs/`. Links (CLAUDE.md is
 * often one to AGENTS.md), second copies, binary files and files above 1 MiB are passed over.
 */
export async function guidanceOf({
  entries,
  readBlob,
}: Pick<Repository, "entries" | "readBlob">): Promise<readonly Guidance[]> {
  const found = new Map<string, TreeEntry>();
  for (const entry of entries.values()) {
    const name = entry.path.toLowerCase();
    if (NAMES.includes(name) && isReadable(entry) && !found.has(name)) found.set(name, entry);
  }
  const guidance: Guidance[] = [];
  const seen = new Set<string>();
  for (const name of NAMES) {
    const entry = found.get(name);
    if (entry === undefined || seen.has(entry.blob)) continue;
    seen.add(entry.blob);
    const shown = stripHiddenText(readText(await readBlob(entry.blob))?.lines.join("") ?? "").trim();
    if (shown !== "") guidance.push({ path: entry.path, text: cutGuidance(shown) });
  }
  return guidance;
}

/** A blob without a size was left out of the clone. */
function isReadable({ mode, size }: TreeEntry): boolean {
  return mode !== "120000" && mode !== "160000" && size !== undefined && size <= MAX_SIZE;
}
