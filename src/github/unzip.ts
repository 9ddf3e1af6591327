import { fromBufferPromise } from "yauzl";

export interface UnzipLimits {
  /** most entries of the archive */
  entries: number;
  /** most unpacked bytes of one file, and of all */
  file: number;
  total: number;
}

export interface UnzippedFile {
  /** as in the archive: a label, never a path to write to */
  name: string;
  content: Uint8Array;
}

/**
 * Unpacks the files that `wanted` accepts from a zip archive, in memory. Undefined for anything that is not a zip, is
 * encrypted or split, exceeds the limits, declares a wrong size, or names a file outside of itself.
 */
export async function unzip(
  archive: Uint8Array,
  wanted: (name: string) => boolean,
  limits: UnzipLimits,
): Promise<readonly UnzippedFile[] | undefined> {
  const files: UnzippedFile[] = [];
  let left = limits.total;
  try {
    const zip = await fromBufferPromise(Buffer.from(archive.buffer, archive.byteOffset, archive.byteLength));
    if (zip.entryCount > limits.entries) return undefined;
    for await (const entry of zip.eachEntry()) {
      if (!wanted(entry.fileName)) continue;
      left -= entry.uncompressedSize;
      if (entry.uncompressedSize > limits.file || left < 0) return undefined;
      // yauzl ends a stream that is longer or shorter than declared.
      const content = Buffer.concat(await (await zip.openReadStreamPromise(entry)).toArray());
      files.push({ name: entry.fileName, content });
    }
    return files;
  } catch {
    return undefined;
  }
}
