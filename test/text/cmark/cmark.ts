import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

const SOURCE = path.join(import.meta.dirname, "render.c");

/** Compiles the program that renders texts with cmark-gfm, in a new folder; undefined without compiler or library. */
export function buildCmark(): string | undefined {
  const program = path.join(mkdtempSync(path.join(tmpdir(), "magis-cmark-")), "render");
  const built = spawnSync("cc", ["-O2", "-o", program, SOURCE, "-lcmark-gfm", "-lcmark-gfm-extensions"]);
  return built.status === 0 ? program : undefined;
}

/** Renders all texts to HTML in one process. Throws when it fails. */
export async function renderAll(program: string, texts: readonly string[]): Promise<string[]> {
  const child = spawn(program, { stdio: ["pipe", "pipe", "inherit"] });
  const chunks: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
  const ended = new Promise<number | null>((resolve, reject) => child.once("error", reject).once("close", resolve));
  child.stdin.end(Buffer.concat(texts.flatMap((text) => [lengthOf(Buffer.from(text)), Buffer.from(text)])));
  const code = await ended;
  if (code !== 0) throw new Error(`the program ended with ${code}`);
  return split(Buffer.concat(chunks));
}

function lengthOf(bytes: Buffer): Buffer {
  const head = Buffer.alloc(4);
  head.writeUInt32LE(bytes.length);
  return head;
}

function split(bytes: Buffer): string[] {
  const parts: string[] = [];
  for (let at = 0; at < bytes.length; ) {
    const end = at + 4 + bytes.readUInt32LE(at);
    parts.push(bytes.toString("utf8", at + 4, end));
    at = end;
  }
  return parts;
}
