import { readText } from "../../domain/edit/read-text.ts";
import { classifyFile } from "../../domain/ranking/classify-file.ts";
import { diffLines } from "../../domain/review/diff-lines.ts";
import type { SourceParser, SourceSymbol } from "../../ports/source-parser.ts";
import type { LookAround, Overlay } from "../look-around.ts";
import type { TaskProgress } from "./task-progress.ts";

/** Declarations whose uses are looked up, and characters of what is found. */
const MOST_NAMES = 4;
const MOST_CHARACTERS = 3_000;
const CALLABLE = new Set(["function", "method", "constructor"]);
/** They are everywhere, and no other. */
const COMMON = /^(?:constructor|__\w+__|main|init|new|default|get|set|toString|run|test|setup)$/;

/**
 * Where the repository uses what a change has touched: for the innermost declarations around the changed lines of source
 * files, what `find_references` gives; "" where no grammar is known, and without tools.
 */
export async function findUses(
  progress: readonly TaskProgress[],
  { look, parser, overlay }: { look: LookAround; parser: SourceParser; overlay: Overlay },
): Promise<string> {
  const references = look.box(1, overlay)?.tools.find(({ name }) => name === "find_references");
  if (!references) return "";
  const names = new Set<string>();
  for (const one of progress) for (const name of await touchedNames(one, parser)) names.add(name);
  const found: string[] = [];
  let room = MOST_CHARACTERS;
  for (const name of [...names].slice(0, MOST_NAMES)) {
    if (room <= 0) break;
    const text = (await references.run({ name })).slice(0, room);
    room -= text.length;
    found.push(`${name}:\n${text}`);
  }
  return found.join("\n\n");
}

async function touchedNames({ task, change, before }: TaskProgress, parser: SourceParser): Promise<string[]> {
  if (!change || before === undefined) return [];
  if (classifyFile({ path: task.path, mode: "100644", size: 1 }).group !== "source") return [];
  const lines = change.content && readText(change.content)?.lines;
  const symbols = (lines && (await parser.symbols(task.path, lines.join("")))) ?? [];
  const touched = diffLines(change.diff).flatMap(({ added, besideRemoved }) => [...added, ...besideRemoved]);
  const inner = touched.flatMap((line) => {
    const around = symbols.filter(({ start, end }) => start <= line && line <= end);
    const size = ({ start, end }: SourceSymbol) => end - start;
    // What is declared in a function cannot be used elsewhere: the function can.
    const callable = around.filter(({ kind }) => CALLABLE.has(kind)).sort((a, b) => size(b) - size(a));
    return callable.length > 0 ? callable.slice(0, 1) : around.sort((a, b) => size(a) - size(b)).slice(0, 1);
  });
  return [...new Set(inner.map(({ name }) => name))].filter((name) => name.length > 2 && !COMMON.test(name));
}
