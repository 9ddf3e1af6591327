import { crc32, deflateRawSync } from "node:zlib";

/** Faults for an archive. */
export interface ZipFaults {
  /** the size that the archive declares for every file */
  saysSize?: number;
  encrypted?: true;
}

/** A zip archive of these files, compressed. */
export function zipOf(files: Readonly<Record<string, string>>, faults: ZipFaults = {}): Uint8Array {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, text] of Object.entries(files)) {
    const label = Buffer.from(name);
    const content = Buffer.from(text);
    const data = deflateRawSync(content);
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(faults.encrypted ? 1 : 0, 2);
    fields.writeUInt16LE(8, 4);
    fields.writeUInt32LE(crc32(content), 10);
    fields.writeUInt32LE(data.length, 14);
    fields.writeUInt32LE(faults.saysSize ?? content.length, 18);
    fields.writeUInt16LE(label.length, 22);
    const signature = (bytes: readonly number[]) => Buffer.from(bytes);
    parts.push(signature([0x50, 0x4b, 3, 4]), fields, label, data);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(offset, 10);
    directory.push(signature([0x50, 0x4b, 1, 2, 20, 0]), fields, tail, label);
    offset += 30 + label.length + data.length;
  }
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(Object.keys(files).length, 8);
  end.writeUInt16LE(Object.keys(files).length, 10);
  end.writeUInt32LE(listed.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, listed, end]);
}
