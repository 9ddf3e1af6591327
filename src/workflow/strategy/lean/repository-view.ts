import type { Toolset } from "../../../llm/toolset.ts";
import type { RunSettings } from "../../../model/settings.ts";
import type { Repository } from "../../../ports/repository.ts";
import type { SourceParser } from "../../../ports/source-parser.ts";
import { readAttributes } from "../../../search/attributes.ts";
import { classifyFile } from "../../../search/classify-file.ts";
import { createTools } from "../../../tools/toolset.ts";
import type { PathPolicy } from "../../change/path-policy.ts";

/** Files that a change has written, by path; undefined is a deleted one. */
export type Overlay = ReadonlyMap<string, Uint8Array | undefined>;

/** What agents may look at: the commit without the files that the snapshot leaves out, a change on top of it. */
export interface RepositoryView {
  /** the paths that may be seen, in path order */
  paths(overlay?: Overlay): readonly string[];
  read(path: string, overlay?: Overlay): Promise<Uint8Array | undefined>;
  /** Tools for one agent; undefined when agents have none. */
  toolset(turns: number, overlay?: Overlay): Toolset | undefined;
}

/** Opens the view of a commit; reads its .gitattributes files. */
export async function openRepositoryView(deps: {
  readonly repository: Pick<Repository, "entries" | "readBlob">;
  readonly policy: Pick<PathPolicy, "ignored">;
  readonly parser: SourceParser;
  readonly settings: Pick<RunSettings, "ablate">;
}): Promise<RepositoryView> {
  const { repository, policy, parser, settings } = deps;
  const { entries } = repository;
  const attributesOf = await readAttributes(entries.values(), (blob) => repository.readBlob(blob));
  const visible = new Set(
    [...entries.values()]
      .filter(({ path }) => !policy.ignored(path))
      .filter(({ path, mode, size }) => {
        const file = { path, mode, size: size ?? Number.POSITIVE_INFINITY, attributes: attributesOf(path) };
        return classifyFile(file).group !== null;
      })
      .map(({ path }) => path),
  );
  const none: Overlay = new Map();
  const paths = (overlay = none) => {
    const written = [...overlay].filter(([path, content]) => content !== undefined && !visible.has(path));
    const remaining = [...visible].filter((path) => !overlay.has(path) || overlay.get(path) !== undefined);
    return written.length === 0 ? remaining : [...remaining, ...written.map(([path]) => path)].sort();
  };
  const read = async (path: string, overlay = none) => {
    if (overlay.has(path)) return overlay.get(path);
    const entry = visible.has(path) ? entries.get(path) : undefined;
    return entry && repository.readBlob(entry.blob);
  };
  return {
    ...{ paths, read },
    toolset(turns, overlay) {
      if (settings.ablate.includes("tools")) return undefined;
      const seen = { paths: paths(overlay), read: (path: string) => read(path, overlay) };
      return { tools: createTools({ ...seen, parser }), turns };
    },
  };
}
