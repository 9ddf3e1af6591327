import { hasMethods } from "../../../code/source-parser.ts";
import type { Place } from "../../../data/plan.ts";
import { functionAround, type ParsedFile } from "./parsed-file.ts";
import type { Overlay, RepositoryView } from "./repository-view.ts";

/** A call of the base class: its method by name, or the one of the same name. Not Rust's `super::`. */
const SUPER = /\b(?:super(?:\([^()]{0,80}\))?\.|parent::|base\.)([\p{L}_]\w*)|\bsuper\b(?!::)/u;

/** What follows a class's name before its first base. */
const BASE = /^[^\n]{0,80}?(?:\bextends\s+|<\s*|:\s*|\(\s*)([\p{L}_][\w.:\\]{0,120})/u;

/** Calls that are followed, and lines shown of each. */
const MAX_CALLS = 4;

const MAX_LENGTH = 24;

interface FileInReview extends ParsedFile {
  readonly path: string;
  /** the numbers of the lines that QA sees */
  readonly shown: ReadonlySet<number>;
}

/** The methods of base classes that the shown lines reach by `super`. */
export async function findSuperCalls(
  files: readonly FileInReview[],
  { repositoryView, overlay }: { readonly repositoryView: RepositoryView; readonly overlay: Overlay },
): Promise<readonly Place[]> {
  const lookups = repositoryView.lookups(overlay);
  const calls = new Map(files.flatMap(superCallsIn).map((call) => [`${call.base}.${call.method}`, call]));
  const places: Place[] = [];
  for (const { base, method } of [...calls.values()].slice(0, MAX_CALLS)) {
    const found = await lookups?.findSymbol({ name: `${base}.${method}` });
    if (!found || "reason" in found || found.inOtherCase) continue;
    const reached = found.declarations.find(({ parent, stub }) => parent === base && !stub);
    if (reached) places.push({ ...reached, end: Math.min(reached.end, reached.start + MAX_LENGTH) });
  }
  return places;
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
