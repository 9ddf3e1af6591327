import { numberedSpans } from "../../../../edits/numbered.ts";
import { hasMethods } from "../../../../ports/source-parser.ts";
import { functionAround, type ParsedFile } from "./parsed-file.ts";
import { linesOf, type Overlay, type RepositoryView } from "./repository-view.ts";

/** A call of the base class: its method by name, or the one of the same name. Not Rust's `super::`. */
const SUPER = /\b(?:super(?:\([^()]{0,80}\))?\.|parent::|base\.)([\p{L}_]\w*)|\bsuper\b(?!::)/u;

/** What follows a class's name before its first base. */
const BASE = /^[^\n]{0,80}?(?:\bextends\s+|<\s*|:\s*|\(\s*)([\p{L}_][\w.:\\]{0,120})/u;

/** Calls that are followed, lines shown of each, and characters of all. */
const MAX_CALLS = 4;

const MAX_LENGTH = 24;

const SUPERS_BUDGET = 1_200;

interface FileInReview extends ParsedFile {
  readonly path: string;
  /** the numbers of the lines that QA sees */
  readonly shown: ReadonlySet<number>;
}

/** Shows the methods of base classes that the shown lines reach by `super`, without what is shown; "" for none. */
export async function findSuperCalls(
  files: readonly FileInReview[],
  { repositoryView, overlay }: { readonly repositoryView: RepositoryView; readonly overlay: Overlay },
): Promise<string> {
  const lookups = repositoryView.lookups(overlay);
  const calls = new Map(files.flatMap(superCallsIn).map((call) => [`${call.base}.${call.method}`, call]));
  const parts: string[] = [];
  let left = SUPERS_BUDGET;
  for (const { base, method } of [...calls.values()].slice(0, MAX_CALLS)) {
    const found = await lookups?.findSymbol({ name: `${base}.${method}` });
    if (!found || "reason" in found || found.inOtherCase) continue;
    const reached = found.declarations.find(({ parent, stub }) => parent === base && !stub);
    const isSeen = files.some(({ path, shown }) => path === reached?.path && shown.has(reached.start + 1));
    if (!reached || isSeen) continue;
    const { path, start, end } = reached;
    const span = { start, end: Math.min(end, start + MAX_LENGTH) };
    const text = `${path}\n${numberedSpans(await linesOf(path, repositoryView, overlay), [span])}`;
    if (text.length > left) continue;
    left -= text.length;
    parts.push(text);
  }
  return parts.join("\n\n");
}

function superCallsIn({ lines, symbols, shown }: FileInReview): readonly { base: string; method: string }[] {
  return [...shown].flatMap((at) => {
    const call = SUPER.exec(lines[at - 1] ?? "");
    const around = call && functionAround(symbols, { start: at, end: at });
    const holder = symbols.find(
      ({ name, kind, start, end }) => hasMethods(kind) && name === around?.parent && start <= at && at <= end,
    );
    if (!call || !around || !holder) return [];
    const head = lines
      .slice(holder.start - 1, holder.start + 2)
      .join(" ")
      .replace(/\s+/g, " ");
    const afterName = head.slice(head.indexOf(holder.name) + holder.name.length);
    const base = BASE.exec(afterName)?.[1]
      ?.split(/\.|::|\\/)
      .at(-1);
    if (!base) return [];
    // A constructor is named after its class in some languages.
    const same = around.name === holder.name ? base : around.name;
    return [{ base, method: call[1] ?? same }];
  });
}
