import { rename, rm, writeFile } from "node:fs/promises";

/** Writes a file so that it is there as a whole or not at all, whatever happens meanwhile. */
export async function writeWhole(file: string, content: string): Promise<void> {
  const draft = `${file}.${process.pid}.tmp`;
  try {
    await writeFile(draft, content);
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}
