import { readFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import type Anthropic from "@anthropic-ai/sdk";
import { APIError } from "@anthropic-ai/sdk";

type Result = Anthropic.Messages.MessageBatchResult;

/** What stands for the result of a request that a batch does not have. */
export const MISSING: Result = { type: "expired" };

/** Milliseconds between two looks at a batch: the first, and the longest. */
const LOOK = 1_000;
const LONGEST_LOOK = 60_000;

/** Looks in a row that may fail for a passing reason. */
const FAILED_LOOKS = 60;

/** Adds to `known` what earlier processes have sent: each request's answer, when its batch has it, else MISSING. */
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

/** Waits until a batch has ended, and gives its results by the requests' keys. Throws what the SDK throws. */
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
    // Whoever waits for an answer keeps the process by its own deadline; when nobody does, it may end.
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
 * The batches that `file` tells of. One that was about to be sent when its process ended may have been sent: those that
 * the provider has had since, and the file does not know, may hold its answers.
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

/** What the clocks here and there may differ, in milliseconds. */
const CLOCKS = 10 * 60_000;

function noteOf(line: string): Note | undefined {
  try {
    return JSON.parse(line) as Note;
  } catch {
    return undefined;
  }
}
