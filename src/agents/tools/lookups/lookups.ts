import type { SourceParser } from "../../../code/source-parser.ts";
import { type FoundReferences, findReferences } from "./find-references.ts";
import { type FoundSymbols, findSymbol, type NameQuestion } from "./find-symbol.ts";
import { type FoundText, findText, type TextQuestion } from "./find-text.ts";
import type { LeftOut } from "./left-out.ts";
import { type Refusal, resolvePath, unknownPath } from "./paths.ts";
import { type FoundPlace, type Place, readPlaces } from "./read-places.ts";
import {
  createSnapshotFiles,
  type LookupContext,
  type Snapshot,
  type SnapshotFiles,
  type WorkLimits,
} from "./snapshot-files.ts";

/** Looks through one snapshot; keeps no state. Gives a reason, and never throws, for a question without an answer. */
export interface Lookups {
  files: SnapshotFiles;
  findText(question: TextQuestion): Promise<FoundText | Refusal>;
  findSymbol(question: NameQuestion): Promise<FoundSymbols | Refusal>;
  findReferences(question: NameQuestion): Promise<FoundReferences | Refusal>;
  list(path?: string): FoundFolder | Refusal;
  read(places: readonly Place[]): Promise<readonly (FoundPlace | Refusal)[]>;
}

const LIMITS: WorkLimits = {
  fileBytes: 16 * 1024 * 1024,
  searchedBytes: 200_000_000,
  parsedBytes: 3_000_000,
};

export function createLookups(snapshot: Snapshot, parser: SourceParser, limits: Partial<WorkLimits> = {}): Lookups {
  const all = { ...LIMITS, ...limits };
  const context = { files: createSnapshotFiles(snapshot, all.fileBytes), parser, limits: all };
  return {
    files: context.files,
    findText: (question) => findText(context, question),
    findSymbol: (question) => findSymbol(context, question),
    findReferences: (question) => findReferences(context, question),
    list: (path) => listFolder(context, path),
    read: (places) => readPlaces(context, places),
  };
}

/** What a folder holds, at any depth. */
export interface FoundFolder {
  /** with a final slash; "" is the top */
  prefix: string;
  /** relative to the folder */
  paths: readonly string[];
  leftOut: readonly LeftOut[];
}

/** Finds what is in a folder; in the top without `written`. */
function listFolder({ files }: LookupContext, written = ""): FoundFolder | Refusal {
  const resolved = resolvePath(written, files);
  if ("reason" in resolved) return resolved;
  const { path } = resolved;
  if (files.has(path)) return { reason: `${path} is a file: use read.` };
  const prefix = path === "" ? "" : `${path}/`;
  const leftOut = files.leftOut.filter((one) => one.path === path || one.path.startsWith(prefix));
  if (!files.hasFolder(path) && leftOut.length === 0) return { reason: unknownPath(files, path) };
  const below = files.paths.filter((one) => one.startsWith(prefix));
  return { prefix, paths: below.map((one) => one.slice(prefix.length)), leftOut };
}
