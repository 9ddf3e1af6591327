import { basename } from "node:path";

/** A short name for a mirror: often it is a folder called `repo` or `owner.git`, and what is above tells more. */
export function nameOf(path: string): string {
  const parts = path.split("/").filter((part) => !["", ".", "repo", ".git"].includes(part));
  return basename(parts.at(-1) ?? path, ".git");
}
