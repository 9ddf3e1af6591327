import type { PathPolicy } from "../../../change/path-policy.ts";
import { readText } from "../../../code/edits/text-file.ts";
import type { SourceParser } from "../../../code/source-parser.ts";
import type { RunSettings } from "../../../data/settings.ts";
import type { Repository } from "../../../git/repository.ts";
import { LOOKUP_ROOM, type Toolset } from "../../../models/toolset.ts";
import { readAttributes } from "../../../search/attributes.ts";
import { classifyFile, groupOf } from "../../../search/classify-file.ts";
import { type FileClass, kindInWords } from "../../../search/path-rules.ts";
import { listed } from "../../../text/patterns.ts";
import { createTools } from "../../tools/create-tools.ts";
import type { SeenLines } from "../../tools/define-tool.ts";
import { type LeftOut, leftOutNote } from "../../tools/lookups/left-out.ts";
import { createLookups, type Lookups } from "../../tools/lookups/lookups.ts";

/** The files of a change, by path; undefined for a deleted one. */
export type Overlay = ReadonlyMap<string, Uint8Array | undefined>;

/** What agents may look at: the files of a commit, with a change on top. */
export interface RepositoryView {
  /** in path order, without left-out files */
  paths(overlay?: Overlay): readonly string[];
  read(path: string, overlay?: Overlay): Promise<Uint8Array | undefined>;
  /** the commit's other files, each with the reason */
  leftOut: readonly LeftOut[];
  /** whether there are tests of any form, also among left-out files and inside sources */
  hasTests(overlay?: Overlay): Promise<boolean>;
  /** For what the program looks up itself; undefined if nothing may be looked up. */
  lookups(overlay?: Overlay): Lookups | undefined;
  /** Tools for one agent, with `room` characters for its look-ups; undefined if nothing may be looked up. */
  toolset(turns: number, more?: ToolsetOptions): Toolset | undefined;
}

/** The lines of a file; none if it is binary or missing. */
export async function linesOf(
  path: string,
  view: Pick<RepositoryView, "read">,
  overlay?: Overlay,
): Promise<readonly string[]> {
  return readText((await view.read(path, overlay)) ?? new Uint8Array())?.lines ?? [];
}

/** Left-out files of these kinds are mostly text: they are shown to whoever names them. */
const TEXT_KINDS: ReadonlySet<FileClass["kind"]> = new Set(["generated", "vendored", "lock", "minified", "oversized"]);

/** Says in a sentence why a named path cannot be worked on. */
export function whyNot(path: string, { leftOut }: Pick<RepositoryView, "leftOut">): string {
  const file = leftOut.find((one) => one.path === path);
  return file ? leftOutNote(file) : `There is no file ${path} among those that were searched.`;
}

const TEST_GROUPS: ReadonlySet<string | null> = new Set(["test", "fixture"]);

/** Languages with tests inside sources, and how such a test begins. */
const TESTS_WITHIN = /\.(?:rs|zig|d|py|ml|v|[cm]?[jt]sx?)$/;

const INNER_TEST = listed(
  String.raw`^[ \t]*`,
  String.raw`
  #\[(?:cfg\(test\)|(?:\w+::)?test\b) test\s+" unittest\b >>>\x20
  let%(?:expect_)?test fn\x20test_ if\x20\(import\.meta\.vitest`,
  "",
  "m",
);

/** Sources that are searched for tests: a larger repository has test files, too. */
const MAX_READ = 400;

/** The usual budget is enough for this many files; each further one adds to it, up to a limit. */
const USUAL_FILES = 4;

const ROOM_OF_FILE = 5_000;

const MAX_ROOM = 60_000;

/** Characters that may be looked up for a change of this many files. */
export const lookupRoom = (files: number): number =>
  Math.min(MAX_ROOM, LOOKUP_ROOM + Math.max(0, files - USUAL_FILES) * ROOM_OF_FILE);

interface ToolsetOptions {
  overlay?: Overlay;
  room?: number;
  /** what stands in the prompt already */
  seen?: SeenLines;
  /** as in `Toolset` */
  rare?: boolean;
}

/** Opens the view of a commit. Reads its .gitattributes files. */
export async function openRepositoryView(deps: {
  repository: Pick<Repository, "entries" | "readBlob">;
  policy: Pick<PathPolicy, "ignored">;
  parser: SourceParser;
  settings: Pick<RunSettings, "ablate">;
}): Promise<RepositoryView> {
  const { repository, policy, parser, settings } = deps;
  const { entries } = repository;
  const attributes = await readAttributes(entries.values(), (blob) => repository.readBlob(blob));
  const visible = new Set<string>();
  const leftOut: LeftOut[] = [];
  for (const { path, mode, size } of entries.values()) {
    const file = { path, mode, size: size ?? Number.POSITIVE_INFINITY, attributes: attributes.of(path) };
    const { group, kind, reason } = classifyFile(file);
    if (policy.ignored(path))
      leftOut.push({ path, kind: "ignored", reason: "the repository's settings say so", shown: false });
    else if (group !== null) visible.add(path);
    else leftOut.push({ path, kind: kindInWords(kind), reason, shown: size !== undefined && TEXT_KINDS.has(kind) });
  }
  const shown = new Set(leftOut.filter((one) => one.shown).map(({ path }) => path));
  const none: Overlay = new Map();
  const paths = (overlay = none) => {
    const written = [...overlay].filter(([path, content]) => content !== undefined && !visible.has(path));
    const remaining = [...visible].filter((path) => !overlay.has(path) || overlay.get(path) !== undefined);
    return written.length === 0 ? remaining : [...remaining, ...written.map(([path]) => path)].sort();
  };
  const read = async (path: string, overlay = none) => {
    if (overlay.has(path)) return overlay.get(path);
    const entry = visible.has(path) || shown.has(path) ? entries.get(path) : undefined;
    return entry && repository.readBlob(entry.blob);
  };
  const lookups = (overlay = none) => {
    if (settings.ablate.includes("tools")) return undefined;
    const others = leftOut.filter(({ path }) => !overlay.has(path));
    const snapshot = { paths: paths(overlay), leftOut: others, read: (path: string) => read(path, overlay) };
    return createLookups(snapshot, parser);
  };
  const isTest = (path: string) => TEST_GROUPS.has(groupOf(path));
  return {
    paths,
    read,
    leftOut,
    async hasTests(overlay) {
      if ([...new Set([...entries.keys(), ...paths(overlay)])].some(isTest)) return true;
      for (const path of paths(overlay)
        .filter((one) => TESTS_WITHIN.test(one))
        .slice(0, MAX_READ)) {
        const content = await read(path, overlay);
        if (content && INNER_TEST.test(Buffer.from(content).toString("latin1"))) return true;
      }
      return false;
    },
    lookups,
    toolset(turns, { overlay, room = LOOKUP_ROOM, rare = false, seen } = {}) {
      const found = lookups(overlay);
      return found && { tools: createTools(found, { seen }), turns, room, rare };
    },
  };
}
