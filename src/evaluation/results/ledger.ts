import { randomUUID } from "node:crypto";
import { appendFileSync, chmodSync } from "node:fs";
import { open, readFile, rename, rm } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";

const line = z.object({ id: z.string().default(""), attempt: z.string(), money: z.number().nonnegative() });

/** What has been spent on an evaluation, attempts that did not come to an end included. */
export interface Ledger {
  /** US dollars of all attempts so far */
  spent(): number;
  /** Begins an attempt at something; the function it gives notes what that has cost so far, in US dollars. */
  begin(id: string): (money: number) => void;
  /** Counts earlier attempts at something as nothing: what they paid for is found again, and noted again, by the next one. */
  reopen(id: string): void;
}

/**
 * A ledger in `file`, one JSON line for each change, so that a process that is killed loses nothing that it was told.
 * A line that was cut off is passed over.
 */
export async function openLedger(file: string): Promise<Ledger> {
  const written = await readFile(file, "utf8").catch(() => "");
  const attempts = new Map<string, number>();
  const ids = new Map<string, string>();
  for (const one of written.split("\n")) {
    const entry = entryOf(one);
    if (entry) attempts.set(entry.attempt, entry.money);
    if (entry) ids.set(entry.attempt, entry.id);
  }
  // Of a version before, or of another program, it may be open to others.
  if (written !== "") chmodSync(file, 0o600);
  // What was cut off ends its line, so that the next one is whole.
  if (written !== "" && !written.endsWith("\n")) appendFileSync(file, "\n");
  const write = (id: string, attempt: string, money: number): void => {
    attempts.set(attempt, money);
    ids.set(attempt, id);
    appendFileSync(file, `${JSON.stringify({ id, attempt, money })}\n`, { mode: 0o600 });
  };
  return {
    spent: () => [...attempts.values()].reduce((sum, money) => sum + money, 0),
    begin(id) {
      const attempt = randomUUID();
      return (money) => write(id, attempt, money);
    },
    reopen(id) {
      for (const [attempt, own] of ids) if (own === id && attempts.get(attempt) !== 0) write(id, attempt, 0);
    },
  };
}

function entryOf(written: string): z.output<typeof line> | undefined {
  try {
    return line.safeParse(JSON.parse(written)).data;
  } catch {
    return undefined;
  }
}

/**
 * Writes a file so that it has all of `text` or is as it was: beside it first, then in its place. Throws the system's
 * error, and leaves nothing beside the file then.
 */
export async function writeWhole(file: string, text: string): Promise<void> {
  const draft = path.join(path.dirname(file), `.${path.basename(file)}.${randomUUID()}.tmp`);
  try {
    const handle = await open(draft, "wx", 0o600);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}
