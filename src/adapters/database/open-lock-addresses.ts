import { open, realpath } from "node:fs/promises";
import { type LockAddress, lockAddresses } from "./lock-addresses.ts";

/** The lock addresses of a directory that exists; good until `close`, since some name its open descriptor. */
export async function openLockAddresses(
  path: string,
): Promise<{ readonly addresses: readonly LockAddress[]; close(): Promise<void> }> {
  const real = await realpath(path);
  const directory = await open(real, "r");
  const { dev, ino } = await directory.stat({ bigint: true });
  const identity = ino === 0n ? real : `${dev}:${ino}`;
  const { platform } = process;
  return {
    addresses: lockAddresses({ path: real, identity, platform, descriptor: directory.fd }),
    close: () => directory.close(),
  };
}
