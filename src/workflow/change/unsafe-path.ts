/** What shows nothing or turns the order of letters: a name with it looks like another. */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Zl}\p{Zp}\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/u;

/** Read as `.git` by a file system: with trailing dots and spaces, as a stream, or by its short name (NTFS). */
const GIT = /^(?:\.git[ .]*(?::.*)?|git~\d+[ .]*(?::.*)?)$/i;

const MAX_NAME = 255;

const MAX_PATH = 4_000;

/**
 * Why git would refuse a path, or it leads out of the work tree, in words; undefined when neither is so. Names are
 * seen as file systems see them, which pass over some characters and over the case of letters.
 */
export function faultOfPath(path: string): string | undefined {
  const outside = "this is not a path inside the repository";
  if (path === "" || path.length > MAX_PATH || /\\|[\p{Cc}\p{Cs}]/u.test(path)) return outside;
  for (const part of path.split("/")) {
    const plain = plainName(part);
    if (/^\.{0,2}$/.test(part) || /^\.{0,2}$/.test(plain) || GIT.test(plain)) return outside;
  }
  return undefined;
}

const INVISIBLES = new RegExp(INVISIBLE, "gu");

/** A path as a file system may read it: without characters that it passes over, in the letters it makes of them. */
export const plainName = (path: string): string => path.replace(INVISIBLES, "").normalize("NFKC");

const RESERVED = /^(?:con|prn|aux|nul|conin\$|conout\$|com[\d¹²³]|lpt[\d¹²³])[ ]*(?:\.|$)/i;

const SHORT = /^[^.~]{1,6}~\d{1,4}(?:\.[^.]{0,3})?$/;

/** Why a new file should not have this name, since some file system would refuse it or take it for another. */
export function faultOfNewName(path: string): string | undefined {
  for (const part of path.split("/")) {
    if (INVISIBLE.test(part)) return "its name has characters that nobody sees";
    if (/[<>:"|?*]/.test(part)) return "its name has characters that some file systems refuse";
    if (/^\s|[\s.]$/.test(part)) return "a name must not begin with a space, nor end with a space or a dot";
    if (RESERVED.test(part)) return "this name is reserved on Windows";
    if (SHORT.test(part)) return "on Windows this may be the short name of another file";
    if (Buffer.byteLength(part) > MAX_NAME) return "its name is too long";
  }
  return undefined;
}
