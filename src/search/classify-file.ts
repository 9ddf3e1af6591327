import { classifyContent } from "./classify-content.ts";
import type { FileClass, FileGroup, LeftOutKind } from "./file-kind.ts";
import type { FileAttributes } from "./parse-attributes.ts";
import { CODE, GROUP_RULES, LEFT_OUT_RULES } from "./path-rules.ts";

/** Text files above it are left out, bytes. */
const MAX_TEXT = 512 * 1024;

export interface FileToClassify {
  readonly path: string;
  readonly mode: string;
  /** bytes; absent when the blob is not there */
  readonly size?: number | undefined;
  /** the first bytes, 8 kB are enough; absent: judged by the path alone */
  readonly head?: Uint8Array | undefined;
  readonly attributes?: FileAttributes;
  readonly largest?: number;
}

/**
 * What a file is, with the reason in words: the group it is ranked in, or why it is left out of ranking and not edited
 * by accident. In the order of trust: the tree, .gitattributes, the name, the content.
 */
export function classifyFile(file: FileToClassify): FileClass {
  const path = file.path.toLowerCase();
  return (
    byTree(file) ?? byAttributes(file.attributes ?? {}) ?? byName(file, path) ?? byHead(file) ?? grouped(file, path)
  );
}

function leftOut(kind: LeftOutKind, reason: string): FileClass {
  return { kind, reason, group: null, editable: false };
}

function inGroup(group: FileGroup, reason: string): FileClass {
  return { kind: group, reason, group, editable: true };
}

function byTree({ mode, size, largest = MAX_TEXT }: FileToClassify): FileClass | null {
  if (mode === "160000") return leftOut("submodule", "another repository's commit");
  if (mode === "120000") return leftOut("symlink", "a symbolic link");
  if (size !== undefined && size > largest)
    return leftOut("oversized", `${Math.ceil(size / 1024)} KiB, more than ${Math.floor(largest / 1024)} KiB`);
  return null;
}

function byAttributes({ generated, vendored, binary, diff, lfs }: FileAttributes): FileClass | null {
  if (lfs) return leftOut("lfs-pointer", "kept in Git LFS, says .gitattributes");
  if (binary) return leftOut("binary", "binary, says .gitattributes");
  if (generated) return leftOut("generated", "generated, says .gitattributes");
  if (vendored) return leftOut("vendored", "vendored, says .gitattributes");
  return diff === false ? leftOut("generated", "without a diff, says .gitattributes") : null;
}

/** A name's verdict gives way to an attribute that says the opposite (`-linguist-vendored`). */
function byName({ attributes = {} }: FileToClassify, path: string): FileClass | null {
  const rule = LEFT_OUT_RULES.find(({ pattern }) => pattern.test(path));
  if (rule === undefined) return null;
  const denied =
    (rule.kind === "vendored" && attributes.vendored === false) ||
    (rule.kind === "binary" && (attributes.binary === false || attributes.diff === true)) ||
    (rule.kind !== "vendored" && attributes.generated === false);
  return denied ? null : leftOut(rule.kind as LeftOutKind, rule.reason);
}

function byHead({ head, attributes = {} }: FileToClassify): FileClass | null {
  const content = head === undefined ? null : classifyContent(head);
  if (content === null || (content.kind === "generated" && attributes.generated === false)) return null;
  return leftOut(content.kind, content.reason);
}

function grouped({ attributes = {} }: FileToClassify, path: string): FileClass {
  if (attributes.documentation) return inGroup("documentation", "documentation, says .gitattributes");
  const rule = GROUP_RULES.find(({ kind, pattern }) => !skips(kind, path, attributes) && pattern.test(path));
  if (rule === undefined) return inGroup("other", "nothing in its name says what it is");
  if (rule.kind === "test" && !CODE.test(path)) return inGroup("fixture", "beside tests, and not a program");
  return inGroup(rule.kind as FileGroup, rule.reason);
}

/** `django/test/client.py` is a source: Python's test files say so in their own name. */
function skips(kind: FileGroup | LeftOutKind, path: string, { documentation }: FileAttributes): boolean {
  if (kind === "documentation") return documentation === false;
  return (
    kind === "test" && /^[^/]+\/test\/.*\.py$/.test(path) && !/(?:^|\/)(?:test_[^/]*|[^/]*_test|tests)\.py$/.test(path)
  );
}
