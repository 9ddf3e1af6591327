import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative } from "node:path";

/** A file of the generated repository: where its content is read, and how far its letters are rotated. */
interface Source {
  path: string;
  from: string;
  rotate: number;
}

const MAX_FILE_BYTES = 256 * 1024;

function listFiles(folder: string, into: string[] = []): string[] {
  const entries = readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && entry.name !== ".git" && !entry.name.startsWith(".cache")) listFiles(path, into);
    else if (entry.isFile() && statSync(path).size <= MAX_FILE_BYTES) into.push(path);
  }
  return into;
}

/** Rotates lower-case letters: a text that packs as well as the first, and of which git finds no delta to it. */
function rotated(content: Buffer, by: number): Buffer {
  if (by === 0) return content;
  return content.map((byte) => (byte >= 97 && byte <= 122 ? 97 + ((byte - 97 + by) % 26) : byte)) as Buffer;
}

/** `count` files, evenly picked from the source; when there are too few, in several copies with rotated letters. */
function pick(source: string, count: number): Source[] {
  const files = listFiles(source);
  const copies = Math.ceil(count / files.length);
  const all = Array.from({ length: copies }, (_, rotate) =>
    files.map((from) => ({ from, rotate, path: join(copies > 1 ? `part-${rotate}` : "", relative(source, from)) })),
  ).flat();
  const step = all.length / Math.min(count, all.length);
  return Array.from({ length: Math.min(count, all.length) }, (_, i) => all[Math.floor(i * step)]).filter(
    (f) => f !== undefined,
  );
}

/**
 * Makes a bare repository at `target` with one commit of about `count` real files found below `source`
 * (node_modules will do), packed as a server packs it.
 */
export async function makeRepository(target: string, source: string, count: number): Promise<void> {
  execFileSync("git", ["init", "-q", "--bare", "-b", "main", target]);
  const child = spawn("git", ["-C", target, "fast-import", "--quiet"], { stdio: ["pipe", "inherit", "inherit"] });
  child.stdin.write("commit refs/heads/main\ncommitter Bench <bench@example.com> 1700000000 +0000\ndata 5\nbench\n");
  for (const { path, from, rotate } of pick(source, count)) {
    const content = rotated(readFileSync(from), rotate);
    child.stdin.write(`M 100644 inline ${JSON.stringify(path)}\ndata ${content.length}\n`);
    if (!child.stdin.write(Buffer.concat([content, Buffer.from("\n")]))) await once(child.stdin, "drain");
  }
  child.stdin.end();
  const [code] = await once(child, "exit");
  if (code !== 0) throw new Error(`git fast-import ended with ${code}`);
  execFileSync("git", ["-C", target, "repack", "-adfq"]);
}
