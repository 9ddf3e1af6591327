export type ResolvedPath = { readonly path: string } | { readonly reason: string };

/**
 * A path as models write it (`./a/b`, `/a/b`, `a//b/`, `a\b`, `a/../b`) as git writes it: relative to the top, no
 * final slash; "" is the top. What leads out of the repository is refused in words.
 */
export function resolvePath(written: string): ResolvedPath {
  const parts: string[] = [];
  for (const part of written.trim().replaceAll("\\", "/").split("/")) {
    if (part === "" || part === ".") continue;
    if (part !== "..") parts.push(part);
    else if (parts.pop() === undefined) return { reason: `The path ${written} leads out of the repository.` };
  }
  return { path: parts.join("/") };
}
