import type { RepositoryState, WorldState } from "../state.ts";

export interface DiffFile {
  sha: string | null;
  filename: string;
  status: string;
  additions: number;
  deletions: number;
  changes: number;
  blob_url: string;
  raw_url: string;
  contents_url: string;
  previous_filename?: string;
  patch?: string;
}

const STATUS: Record<string, string> = {
  A: "added",
  M: "modified",
  D: "removed",
  R: "renamed",
  C: "copied",
  T: "changed",
};

/** The files that differ between two commits or trees, as GitHub lists them with a pull request or commit. */
export async function diffFiles(
  state: WorldState,
  repo: RepositoryState,
  before: string,
  after: string,
): Promise<DiffFile[]> {
  const raw = (await repo.bare.fixed("diff", "--raw", "-z", "--abbrev=40", "--find-renames", before, after)).split(
    "\0",
  );
  const files: DiffFile[] = [];
  while (raw.length > 0) {
    const [, , , id = "", kind = ""] = (raw.shift() ?? "").split(" ");
    if (kind === "") continue;
    const first = raw.shift() ?? "";
    const moved = kind.startsWith("R") || kind.startsWith("C");
    const filename = moved ? (raw.shift() ?? "") : first;
    const pathspec = [`:(literal)${first}`, `:(literal)${filename}`];
    const text = await repo.bare.fixed("diff", "--find-renames", before, after, "--", ...pathspec);
    const start = text.search(/^@@ /m);
    const patch = start < 0 ? undefined : text.slice(start);
    const count = (sign: RegExp) => patch?.match(sign)?.length ?? 0;
    const [additions, deletions] = [count(/^\+/gm), count(/^-/gm)];
    const at = `${state.url}/${repo.owner}/${repo.name}`;
    files.push({
      sha: /^0+$/.test(id) ? await repo.bare.git("rev-parse", `${before}:${filename}`) : id,
      filename,
      status: STATUS[kind.charAt(0)] ?? "changed",
      additions,
      deletions,
      changes: additions + deletions,
      blob_url: `${at}/blob/${after}/${filename}`,
      raw_url: `${at}/raw/${after}/${filename}`,
      contents_url: `${state.url}/repos/${repo.owner}/${repo.name}/contents/${filename}?ref=${after}`,
      previous_filename: moved ? first : undefined,
      patch,
    });
  }
  return files;
}
