import { failure, paginate } from "../front/answers.ts";
import type { Answer, Call, Fields, RepositoryState, Route } from "../state.ts";
import { renderCommit } from "./commits.ts";

/** Commits, comparisons and file contents, read from the real repository. */
export function historyRoutes(): Route[] {
  const R = "/repos/{owner}/{repo}";
  return [
    ["GET", `${R}/compare/{range+}`, compare],
    ["GET", `${R}/contents`, contents],
    ["GET", `${R}/contents/{path+}`, contents],
  ];
}

/** GitHub's limit of files in a comparison; it silently leaves out the rest. */
const MAX_FILES = 300;

async function compare(call: Call): Promise<Answer> {
  const { state, repo, params, query } = call;
  const names = (params.range ?? "").split("...").map((name) => name.replace(`${repo.owner}:`, ""));
  const [base, head] = await Promise.all(names.map((name) => repo.bare.resolve(`${name}^{commit}`)));
  if (base === undefined || head === undefined) return failure(404, "Not Found");
  const merge = await repo.bare.fixed("merge-base", base, head).catch(() => undefined);
  if (merge === undefined) return failure(404, `No common ancestor between ${names.join(" and ")}.`);
  const list = async (range: string) =>
    (await repo.bare.fixed("rev-list", "--reverse", range)).split("\n").filter(Boolean);
  const [ahead, behind] = await Promise.all([list(`${base}..${head}`), list(`${head}..${base}`)]);
  const inOne = ahead.length > 0 ? "ahead" : "behind";
  const inBoth = ahead.length > 0 && behind.length > 0 ? "diverged" : inOne;
  const status = ahead.length + behind.length === 0 ? "identical" : inBoth;
  const commits = paginate(call, ahead);
  const files = await diffFiles(repo, merge, head);
  const body = {
    base_commit: await renderCommit(state, repo, base),
    merge_base_commit: await renderCommit(state, repo, merge),
    status,
    ahead_by: ahead.length,
    behind_by: behind.length,
    total_commits: ahead.length,
    commits: await Promise.all((commits.body as string[]).map((sha) => renderCommit(state, repo, sha))),
    files: Number(query.get("page") ?? 1) > 1 ? undefined : files.slice(0, MAX_FILES),
  };
  return { ...commits, body };
}

/** GitHub leaves out larger contents. */
const MAX_SIZE = 1024 * 1024;

async function contents({ repo, params }: Call): Promise<Answer> {
  const path = (params.path ?? "").replace(/\/$/, "");
  const commit = await repo.bare.tip(`refs/heads/${repo.defaultBranch}`);
  const object = await repo.bare.read(`${commit}:${path}`);
  if (object === undefined) return failure(404, "Not Found");
  const { id: sha, type: kind, content: bytes } = object;
  const entry = (name: string, id: string, type: string, size: number): Fields => ({
    type,
    name: name.split("/").at(-1),
    path: name,
    sha: id,
    size,
  });
  if (kind === "tree") {
    const lines = (await repo.bare.fixed("ls-tree", "-z", "--long", sha)).split("\0").filter(Boolean);
    const body = lines.map((line) => {
      const [, mode, type, id = "", size, name = ""] = /^(\d+) (\w+) (\w+) +(\S+)\t([\s\S]*)$/.exec(line) ?? [];
      const shown = type === "tree" ? "dir" : "file";
      const place = path === "" ? name : `${path}/${name}`;
      return entry(place, id, mode === "120000" ? "symlink" : shown, Number(size) || 0);
    });
    return { status: 200, body };
  }
  const shown =
    bytes.length > MAX_SIZE
      ? { content: "", encoding: "none" }
      : { content: bytes.toString("base64"), encoding: "base64" };
  const file = { ...entry(path, sha, "file", bytes.length), ...shown };
  return { status: 200, body: file };
}

interface DiffFile {
  sha: string | null;
  filename: string;
  status: string;
  additions: number;
  deletions: number;
  changes: number;
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
export async function diffFiles(repo: RepositoryState, before: string, after: string): Promise<DiffFile[]> {
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
    files.push({
      sha: /^0+$/.test(id) ? await repo.bare.git("rev-parse", `${before}:${filename}`) : id,
      filename,
      status: STATUS[kind.charAt(0)] ?? "changed",
      additions,
      deletions,
      changes: additions + deletions,
      previous_filename: moved ? first : undefined,
      patch,
    });
  }
  return files;
}
