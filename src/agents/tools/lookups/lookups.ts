import type { SourceParser } from "../../../code/source-parser.ts";
import { type FileUses, findReferences } from "./find-references.ts";
import { type FoundSymbols, findSymbol, type NameQuestion } from "./find-symbol.ts";
import { type FoundText, findText, type TextQuestion } from "./find-text.ts";
import type { Refusal } from "./paths.ts";
import { type FoundPlace, type Place, readPlaces } from "./read-places.ts";
import { createSnapshotFiles, type Snapshot, type SnapshotFiles, type WorkLimits } from "./snapshot-files.ts";

/** Looks through one snapshot; keeps no state. Gives a reason, and never throws, for a question without an answer. */
export interface Lookups {
  files: SnapshotFiles;
  findText(question: TextQuestion): Promise<FoundText | Refusal>;
  findSymbol(question: NameQuestion): Promise<FoundSymbols | Refusal>;
  findReferences(name: string): Promise<readonly FileUses[]>;
  read(places: readonly Place[]): Promise<readonly (FoundPlace | FoundSymbols | Refusal)[]>;
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
    findReferences: (name) => findReferences(context, name),
    read: (places) => readPlaces(context, places),
  };
}
