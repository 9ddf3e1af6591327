/** Characters HFS+ ignores in a name, so that ".g\u200cit" is ".git" there. */
const IGNORED = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;

/** Names that are, or on Windows or macOS become, ".", ".." or ".git". After git's verify_path. */
function isReserved(part: string): boolean {
  const plain = (part.replace(IGNORED, "").split(":")[0] ?? "").toLowerCase().replace(/[. ]+$/, "");
  return plain === "" || plain === ".git" || /^git~\d+$/.test(plain);
}

/** True for a relative path, "/" between its parts, that leads into the repository on every system. */
export function isSafePath(path: string): boolean {
  if (path.includes("\0") || /^[a-z]:/i.test(path)) return false;
  return path.split(/[/\\]/).every((part) => part !== "" && !isReserved(part));
}
