import { git } from "../recall/git.ts";

/** A fix whose message names the commit that brought the fault. */
export interface NamedCulprit {
  readonly fix: string;
  readonly parent: string;
  /** 40 hex digits */
  readonly culprit: string;
  /** seconds since the epoch */
  readonly time: number;
}

const BLAMING =
  "(?:bug introduced|fault introduced|issue introduced|regress(?:ed|ion)?(?: was)?(?: introduced)?|broken?|broke|caused|bug)";

const BETWEEN = String.raw`\s+(?:(?:in|by|from|with|since|after)\s+)?(?:commit\s+|changes?\s+|rev\s+)?[\x60(]?`;

const SHA = String.raw`([0-9a-f]{7,40})\b`;

/** "introduced in 1a2b3c4", "regression from …", "Fixes: 1a2b3c4 (…)" */
const NAMES = [
  new RegExp(String.raw`\b${BLAMING}${BETWEEN}${SHA}`, "i"),
  new RegExp(String.raw`^Fixes:\s+(?:commit\s+)?${SHA}`, "im"),
];

/** "broken by #123" */
const PULL = new RegExp(String.raw`\b${BLAMING}\s+(?:in|by|from|since|with|after)\s+(?:PR\s+|gh-)?#(\d{2,6})\b`, "i");

/** A commit that names another one for some other reason. */
const NO_FIX = /^(?:revert|merge|feat|docs?|tests?|chore|refactor|release|add|make)\b/i;

/** The newest fixes of a mirror, at most `count`, that name an earlier commit, or an earlier pull request. */
export function listCulprits(mirror: string, count: number): readonly NamedCulprit[] {
  const log = git(mirror, "log", "--no-merges", "-z", "--format=%H%x01%P%x01%ct%x01%B", "-n", "20000");
  const commits = log.split("\0").map((one) => {
    const [id = "", parents = "", time = "0", message = ""] = one.split("\x01");
    return { id: id.trim(), parents: parents.split(" "), time: Number(time), message };
  });
  const byPull = new Map<string, string>();
  for (const { id, message } of commits) {
    const number = /\(#(\d{2,6})\)\s*$/.exec(message.split("\n")[0] ?? "")?.[1];
    if (number !== undefined && !byPull.has(number)) byPull.set(number, id);
  }
  const ids = commits.map(({ id }) => id);
  const found: NamedCulprit[] = [];
  for (const { id, parents, time, message } of commits) {
    if (found.length >= count) break;
    const [parent] = parents;
    if (parent === undefined || parents.length !== 1 || NO_FIX.test(message)) continue;
    const short = NAMES.map((pattern) => pattern.exec(message)?.[1]).find((one) => one !== undefined);
    const pull = PULL.exec(message)?.[1];
    const culprit =
      short !== undefined && /\d/.test(short)
        ? ids.find((one) => one.startsWith(short.toLowerCase()))
        : byPull.get(pull ?? "");
    if (culprit !== undefined && culprit !== id) found.push({ fix: id, parent, culprit, time });
  }
  return found;
}
