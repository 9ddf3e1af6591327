import { readFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import type Anthropic from "@anthropic-ai/sdk";
import { APIError } from "@anthropic-ai/sdk";

type Result = Anthropic.Messages.MessageBatchResult;

/** The result of a request that the batch does not have. */
export const MISSING: Result = { type: "expired" };

/** Milliseconds between two polls of a batch: the first wait, and the longest. */
const LOOK = 1_000;
const LONGEST_LOOK = 60_000;

/** How many polls in a row may fail temporarily. */
const FAILED_LOOKS = 60;

/** Adds to `known` what earlier processes sent: each request's answer if its batch has it, else MISSING. */
export async function takeUp(
  known: Map<string, Promise<Result>>,
  client: Anthropic,
  { file, progress }: { readonly file: string; readonly progress: (line: string) => void },
): Promise<void> {
  for (const { id, keys } of await earlierBatches(client, file)) {
    progress(`Batch ${id} of an earlier call is taken up again.`);
    const results = resultsOf(client, id).catch((): ReadonlyMap<string, Result> => new Map());
    for (const key of keys) {
      const before = known.get(key) ?? Promise.resolve(MISSING);
      const now = before.then(async (found) =>
        found.type === "succeeded" ? found : ((await results).get(key) ?? MISSING),
      );
      known.set(key, now);
    }
  }
}

/** Waits until a batch has ended and gives its results by key. Throws what the SDK throws. */
export async function resultsOf(client: Anthropic, id: string): Promise<ReadonlyMap<string, Result>> {
  let failed = 0;
  for (let pause = LOOK; ; pause = Math.min(pause * 1.5, LONGEST_LOOK)) {
    try {
      const { processing_status: status } = await client.messages.batches.retrieve(id);
      if (status === "ended") {
        const results = new Map<string, Result>();
        for await (const { custom_id: key, result } of await client.messages.batches.results(id))
          results.set(key, result);
        return results;
      }
      failed = 0;
    } catch (error) {
      failed += 1;
      const isOurs =
        error instanceof APIError && error.status !== undefined && error.status < 500 && error.status !== 429;
      if (isOurs || failed >= FAILED_LOOKS) throw error;
    }
    // This timer does not keep the process alive: whoever waits for an answer does, by its own deadline.
    await delay(pause, undefined, { ref: false });
  }
}

interface Note {
  readonly intent?: string;
  readonly at?: string;
  readonly keys?: readonly string[];
  readonly batch?: string;
}

/**
 * The batches in `file`. One that was about to be sent when its process ended may have been sent: its answers may be in
 * batches that the provider received since and the file does not list.
 */
async function earlierBatches(
  client: Anthropic,
  file: string,
): Promise<readonly { readonly id: string; readonly keys: readonly string[] }[]> {
  const notes = (await readFile(file, "utf8").catch(() => "")).split("\n").flatMap((line) => noteOf(line) ?? []);
  const sent = new Map(notes.flatMap(({ intent, batch }) => (intent && batch ? [[intent, batch] as const] : [])));
  const intents = notes.filter(({ keys }) => keys !== undefined);
  const found = intents.flatMap(({ intent = "", keys = [] }) => {
    const id = sent.get(intent);
    return id === undefined ? [] : [{ id, keys }];
  });
  const open = intents.filter(({ intent = "" }) => !sent.has(intent));
  const [first] = open.flatMap(({ at }) => at ?? []).sort();
  if (first === undefined) return found;
  const keys = open.flatMap((one) => one.keys ?? []);
  const ids = new Set(sent.values());
  for await (const { id, created_at: created } of client.messages.batches.list({ limit: 100 })) {
    if (Date.parse(created) < Date.parse(first) - CLOCKS) break;
    if (!ids.has(id)) found.push({ id, keys });
  }
  return found;
}

/** How far our clock and the provider's may differ, in milliseconds. */
const CLOCKS = 10 * 60_000;

function noteOf(line: string): Note | undefined {
  try {
    return JSON.parse(line) as Note;
  } catch {
    return undefined;
  }
}
