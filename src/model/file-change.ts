import type { LineEdit } from "./line-edit.ts";

/**
 * What happens to one file, small enough to be kept: a modified file is its edits against the base commit's
 * version, never the whole file.
 */
export type FileChange =
  | { readonly kind: "modify"; readonly path: string; readonly edits: readonly LineEdit[] }
  | { readonly kind: "create"; readonly path: string; readonly content: string }
  | { readonly kind: "delete"; readonly path: string };
