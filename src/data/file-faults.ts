const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file or folder",
  EISDIR: "it is a folder",
  ENOTDIR: "a part of its path is a file and no folder",
  EACCES: "its rights forbid it",
  EPERM: "its rights forbid it",
  EROFS: "its file system is read-only",
  ENOSPC: "its disk is full",
  EDQUOT: "this user's share of its disk is used up",
  ELOOP: "its links lead in a circle",
  ENAMETOOLONG: "its name is too long",
  EEXIST: "there is one already",
};

/** Why a file could not be read or written, as the end of a sentence without its full stop. */
export function fileFault(error: unknown): string {
  const { code = "", message = String(error) } = (error ?? {}) as { code?: string; message?: string };
  return REASONS[code] ?? (code || message);
}
