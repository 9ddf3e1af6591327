/** The modes of a plain file in git. */
export type FileMode = "100644" | "100755";

type Entries = ReadonlyMap<string, { mode: string }>;

/** A file's mode with this content: its own, or for a new program (`#!`) that of the programs in its folder. */
export function fileMode(path: string, content: Uint8Array | null | undefined, entries: Entries): FileMode {
  const own = entries.get(path)?.mode;
  if (own !== undefined) return own === "100755" ? own : "100644";
  if (content?.[0] !== 0x23 || content[1] !== 0x21) return "100644";
  const folder = path.slice(0, path.lastIndexOf("/") + 1);
  for (const [other, { mode }] of entries)
    if (mode === "100755" && other.slice(0, other.lastIndexOf("/") + 1) === folder) return "100755";
  return "100644";
}
