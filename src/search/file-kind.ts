/** Kinds of files that are ranked, each in its own group. */
export type FileGroup =
  | "source"
  | "test"
  | "fixture"
  | "example"
  | "documentation"
  | "locale"
  | "config"
  | "data"
  | "other";

/** Kinds of files that are left out of ranking and not edited by accident. */
export type LeftOutKind =
  | "generated"
  | "vendored"
  | "lock"
  | "minified"
  | "binary"
  | "oversized"
  | "lfs-pointer"
  | "submodule"
  | "symlink";

/** What a file is, and why we think so. */
export interface FileClass {
  readonly kind: FileGroup | LeftOutKind;
  /** in words, for the record of the run */
  readonly reason: string;
  /** the group it is ranked in; null when it is left out */
  readonly group: FileGroup | null;
  readonly editable: boolean;
}
