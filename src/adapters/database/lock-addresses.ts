import { createHash } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Where the lock of a directory is held. */
export interface LockAddress {
  readonly path: string;
  /** a socket file: stays behind after a kill; some file systems refuse it */
  readonly file: boolean;
  /** only our own user can open it, by the rights of the file or pipe; an abstract name is open to every user */
  readonly trusted: boolean;
}

export interface LockedDirectory {
  readonly path: string;
  /** what the kernel knows the directory by, the same through every mount and link */
  readonly identity: string;
  readonly platform: NodeJS.Platform;
  /** an open descriptor of the directory, for paths too long for a socket (Linux) */
  readonly descriptor: number;
}

/** sun_path is 104 bytes on macOS and 108 on Linux, with a zero at its end. */
const MAX_SOCKET_PATH_LENGTH = 100;

/**
 * The addresses that together lock a directory, in the order to take them. Linux: an abstract name (no left-overs, no
 * races) and a socket file in the directory (seen from other network namespaces, so by containers sharing a volume).
 * Elsewhere: the socket file, or a pipe on Windows.
 */
export function lockAddresses(directory: LockedDirectory): LockAddress[] {
  const name = `magis-${createHash("sha256").update(directory.identity).digest("hex").slice(0, 32)}`;
  if (directory.platform === "win32") return [{ path: `\\\\.\\pipe\\${name}`, file: false, trusted: true }];
  const inside = join(directory.path, "magis.lock");
  const short = Buffer.byteLength(inside) <= MAX_SOCKET_PATH_LENGTH;
  if (directory.platform === "linux") {
    const path = short ? inside : `/proc/self/fd/${directory.descriptor}/magis.lock`;
    return [
      { path: `\0${name}`, file: false, trusted: false },
      { path, file: true, trusted: true },
    ];
  }
  return [{ path: short ? inside : join(tmpdir(), `${name}.lock`), file: true, trusted: true }];
}
