import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** A repository made for one measurement. */
interface MadeHistory {
  path: string;
  explanation: string;
  remove(): void;
}

interface Comment {
  file: string;
  whole: string;
  prose: string;
}

const PACKAGE = "zod";
const DOC_COMMENT = /\/\*\*(?:(?!\*\/)[\s\S]){60,1200}\*\/[ \t]*\r?\n(?=\s*[\w@])/g;

/**
 * A git history of one installed package, whose files are sources of a size that people write. It has no fixes, so they
 * are made: doc comments are taken out, and each "fix" puts one back, with the comment's prose as its message.
 */
export function makeHistory(modules: string, fixes: number): MadeHistory {
  const path = mkdtempSync(join(tmpdir(), "magis-memory-"));
  const files = readSources(join(modules, PACKAGE));
  const comments = chooseComments(files, fixes);
  for (const { file, whole } of comments) files.set(file, (files.get(file) ?? "").replace(whole, ""));
  const git = (...words: string[]) =>
    execFileSync("git", ["-C", path, "-c", "user.name=bench", "-c", "user.email=bench@example.com", ...words]);
  const write = (file: string) => {
    mkdirSync(dirname(join(path, file)), { recursive: true });
    writeFileSync(join(path, file), files.get(file) ?? "");
  };
  const commit = (message: string) => {
    git("add", "--all", "--force");
    git("-c", "commit.gpgsign=false", "commit", "--quiet", "--no-verify", "--message", message);
  };
  git("init", "--quiet");
  for (const file of files.keys()) write(file);
  commit("The files as installed, without some doc comments");
  for (const { file, whole, prose } of comments) {
    files.set(file, `${files.get(file)}\n${whole.trimEnd()}\n`);
    write(file);
    commit(`Fix ${prose.slice(0, 60)}\n\n${prose}`);
  }
  const explanation = `No mirror given: ${files.size} files of ${PACKAGE} as installed, ${comments.length} made fixes.`;
  return { path, explanation, remove: () => rmSync(path, { recursive: true, force: true }) };
}

function readSources(root: string): Map<string, string> {
  const names = readdirSync(root, { recursive: true, encoding: "utf8" }).sort();
  const sources = names.filter((name) => /\.[cm]?[jt]s$/.test(name) && !/\.d\.[cm]?ts$|\btests?\b/.test(name));
  return new Map(sources.map((name) => [name.replaceAll("\\", "/"), readFileSync(join(root, name), "utf8")]));
}

/** One comment a file, spread evenly over the files that have one. */
function chooseComments(files: ReadonlyMap<string, string>, count: number): Comment[] {
  const all = [...files].flatMap(([file, text]) => {
    for (const [whole] of text.matchAll(DOC_COMMENT)) {
      const prose = whole
        .replace(/^\s*\/?\*+\/?|\*\/|@\w+/gm, "")
        .replace(/\s+/g, " ")
        .trim();
      if (text.indexOf(whole) === text.lastIndexOf(whole) && prose.split(" ").length >= 10)
        return [{ file, whole, prose }];
    }
    return [];
  });
  const step = Math.max(1, all.length / count);
  return all.filter((_, i) => Math.floor(i / step) !== Math.floor((i - 1) / step)).slice(0, count);
}
