import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** A repository on disk that is made for one measurement. */
export interface MadeRepository {
  path: string;
  explanation: string;
  remove(): void;
}

interface Comment {
  path: string;
  whole: string;
  text: string;
}

const MAX_FILES = 6_000;
const MAX_SIZE = 200_000;
const MAX_OF_PACKAGE = 3;
const DOC_COMMENT =
  /\/\*\*\r?\n(?:\s*\*[^\n]*\n){2,12}?\s*\*\/\r?\n(?=\s*(?:export |async |function |class |const |public |static ))/g;

/**
 * A git repository of the JavaScript that is installed. It has no fixes, so that they are made: doc comments of
 * functions are taken out of their files, and each "fix" puts one back, with the comment's prose as its message.
 * Honest, but easier than a real issue: the words were written by who wrote the file.
 */
export function installedRepository(fixes: number): MadeRepository {
  const path = mkdtempSync(join(tmpdir(), "magis-recall-"));
  const sources = new Map(listSources("node_modules"));
  const comments = chooseComments(sources, fixes);
  for (const { path: file, whole } of comments) sources.set(file, (sources.get(file) ?? "").replace(whole, ""));
  for (const [file, text] of sources) write(path, file, text);
  const run = (...words: string[]) =>
    execFileSync("git", ["-C", path, "-c", "user.name=bench", "-c", "user.email=bench@localhost", ...words], {
      stdio: "ignore",
    });
  run("init", "--quiet");
  const commit = (message: string) => {
    run("add", "--all", "--force");
    run("-c", "commit.gpgsign=false", "commit", "--quiet", "--no-verify", "--message", message);
  };
  commit("The files as installed, without some doc comments");
  for (const { path: file, whole, text } of comments) {
    const marker = `\n${whole.trimEnd()}\n`;
    sources.set(file, (sources.get(file) ?? "") + marker);
    write(path, file, sources.get(file) ?? "");
    commit(`${text}\n\nFixes the missing comment.`);
  }
  return {
    path,
    explanation: `No mirror given: ${sources.size} files of what is installed, ${comments.length} made fixes (query: a function's doc comment, gold: its file without it).`,
    remove: () => rmSync(path, { recursive: true, force: true }),
  };
}

function* listSources(root: string): Generator<[string, string]> {
  let left = MAX_FILES;
  const names = readdirSync(root, { recursive: true, encoding: "utf8" }).sort();
  for (const name of names) {
    const file = name.replaceAll("\\", "/");
    if (!/\.(?:[cm]?[jt]s|md)$/.test(file) || /\.min\.js$|(?:^|\/)(?:dist|vendor)\//.test(file) || left === 0) continue;
    const text = readIfSmall(join(root, name));
    if (text === undefined) continue;
    left--;
    yield [`packages/${file.replaceAll("node_modules/", "")}`, text];
  }
}

function readIfSmall(path: string): string | undefined {
  try {
    const text = readFileSync(path, "utf8");
    return text.length <= MAX_SIZE ? text : undefined;
  } catch {
    return undefined;
  }
}

/** A comment a file and at most three a package, spread over all, with enough prose to be asked about. */
function chooseComments(sources: ReadonlyMap<string, string>, count: number): Comment[] {
  const all: Comment[] = [];
  const taken = new Map<string, number>();
  for (const [path, text] of sources) {
    const owner = path
      .split("/")
      .slice(0, path.startsWith("packages/@") ? 3 : 2)
      .join("/");
    const had = taken.get(owner) ?? 0;
    if (had === MAX_OF_PACKAGE || !/\.[cm]?[jt]s$/.test(path) || path.endsWith(".d.ts")) continue;
    const comment = firstComment(path, text);
    if (comment === undefined) continue;
    all.push(comment);
    taken.set(owner, had + 1);
  }
  const step = Math.max(1, all.length / count);
  return Array.from({ length: Math.min(count, all.length) }, (_, i) => all[Math.floor(i * step)] as Comment);
}

function firstComment(path: string, text: string): Comment | undefined {
  for (const [whole] of text.matchAll(DOC_COMMENT)) {
    const prose = whole
      .replace(/^\s*\/?\*+\/?/gm, "")
      .replace(/@\w+[\s\S]*/, "")
      .replace(/\s+/g, " ")
      .trim();
    const once = text.indexOf(whole) === text.lastIndexOf(whole);
    if (once && prose.split(" ").length >= 10) return { path, whole, text: prose };
  }
  return undefined;
}

function write(root: string, file: string, text: string): void {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), text);
}
