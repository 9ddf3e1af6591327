import { classifyFile } from "../../src/search/classify-file.ts";
import { git } from "./git.ts";

/** A commit that mends something: what it says, without the paths it names, and the sources it changed. */
export interface Fix {
  commit: string;
  parent: string;
  title: string;
  body: string;
  gold: readonly string[];
}

const SAYS_FIX = /\b(?:fix(?:es|ed|ing)?|bug|bugfix|regression|crash(?:es|ed)?|(?:closes|resolves|fixes) #\d+)\b/i;
const NO_FIX = [
  /^(?:merge|revert|bump|release|chore|ci|docs?|test|build|style|typo|update dependenc)/i,
  /\b(?:typos?|lint|clippy|changelog)\b/i,
];
const MAX_GOLD = 10;

/**
 * The newest `count` fixes of a mirror's history: one parent, a message that says fix and has at least three words
 * left, and 1 to 10 program files changed, none of them a test, that stood in the parent. What is a test is told by
 * the name alone. One that stands twice (picked from another branch) counts once. `former`: as it was before, twice, and
 * no word with a slash in it left, be it a path or not (a cop's name, a package's, "and/or").
 */
export function listFixes(repository: string, count: number, former = false): Fix[] {
  const log = git(
    repository,
    "log",
    "--no-merges",
    "-n",
    "6000",
    "--format=%x01%H %P%x00%s%x00%b%x00",
    "--raw",
    "--no-abbrev",
    "-z",
    "--no-renames",
    "HEAD",
  );
  const fixes: Fix[] = [];
  const seen = new Set<string>();
  for (const record of log.split("\x01").slice(1)) {
    if (fixes.length >= count) break;
    const [ids = "", subject = "", body = "", ...raw] = record.split("\0");
    const [commit = "", parent = "", ...more] = ids.split(" ");
    if (
      parent === "" ||
      more.length > 0 ||
      NO_FIX.some((pattern) => pattern.test(subject)) ||
      !SAYS_FIX.test(`${subject}\n${body}`)
    )
      continue;
    const gold = changedSources(raw);
    if (gold.length < 1 || gold.length > MAX_GOLD) continue;
    const isPath = former ? () => true : pathsOf(repository, parent);
    const [title = "", text = ""] = [subject, withoutTrailers(body)].map((words) => withoutPaths(words, gold, isPath));
    const key = JSON.stringify([title, text, gold]);
    if (!former && seen.has(key)) continue;
    seen.add(key);
    if ((title.match(/[a-z]{2,}/gi) ?? []).length < 3) continue;
    fixes.push({ commit, parent, title, body: text, gold });
  }
  return fixes;
}

function changedSources(raw: readonly string[]): string[] {
  const changed: string[] = [];
  for (let i = 0; i < raw.length; i++) {
    const [, mode = "", , , , state] = /^\n?:(\d+) (\d+) (\w+) (\w+) ([A-Z])/.exec(raw[i] ?? "") ?? [];
    if (state !== "M" && state !== "D") continue;
    const path = raw[++i] ?? "";
    if (classifyFile({ path, mode }).group === "source") changed.push(path);
  }
  return changed;
}

function withoutTrailers(body: string): string {
  return body.replace(/^(?:[\w-]+-by|cc|refs?|change-id|reviewed-on|git-svn-id|bug|pr-url|pull-request)\b.*$/gim, "");
}

/**
 * Whether a word with slashes may be a path of the commit: it looks like one of a file or an address, or two parts of it
 * stand one below the other there, whatever their case.
 */
function pathsOf(repository: string, commit: string): (word: string) => boolean {
  const pairs = new Set<string>();
  for (const path of git(repository, "ls-tree", "-r", "-z", "--name-only", commit).split("\0")) {
    const parts = path.toLowerCase().split("/");
    parts.forEach((part, at) => {
      if (at === 0) return;
      for (const name of [part, part.replace(/(?<=.)\..*$/, "")]) pairs.add(`${parts[at - 1]}/${name}`);
    });
  }
  return (word) => {
    if (/:\/\/|\.[a-z]\w{0,7}\W*$/i.test(word)) return true;
    const parts = word.toLowerCase().match(/[\w@.+-]+/g) ?? [];
    return parts.some((part, at) => at > 0 && pairs.has(`${parts[at - 1]}/${part}`));
  };
}

/** No path, and no file name of those to be found, may be left in the query. */
function withoutPaths(text: string, gold: readonly string[], isPath: (word: string) => boolean): string {
  const names = new Set(gold.map((path) => path.slice(path.lastIndexOf("/") + 1).toLowerCase()));
  return text
    .replace(/\S*[/\\]\S+/g, (word) => (isPath(word) ? " " : word))
    .replace(/\(#\d+\)/g, " ")
    .replace(/[\w@.+-]+\.[A-Za-z]\w{0,7}\b/g, (word) =>
      names.has(word.toLowerCase()) ||
      /\.(?:py|[cm]?[jt]sx?|go|java|rs|rb|php|cs|c|h|cpp|vue|md|rst|json|ya?ml|toml)$/i.test(word)
        ? " "
        : word,
    );
}
