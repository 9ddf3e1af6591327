import { createEvolutionMemory } from "../../src/adapters/database/evolution-memory.ts";
import { openDatabase } from "../../src/adapters/database/open-database.ts";
import { createRunStore } from "../../src/adapters/database/run-store.ts";
import { createSourceParser } from "../../src/adapters/tree-sitter/source-parser.ts";
import { createAdmission } from "../../src/admission/admit.ts";
import { createSettingsReader } from "../../src/admission/settings.ts";
import { startEngine } from "../../src/engine/start-engine.ts";
import { findUnfinished } from "../../src/engine/work-queue.ts";
import { loadPrompts } from "../../src/llm/prompt-library.ts";
import type { Delivery, RepositoryId } from "../../src/model/run-request.ts";
import { DEFAULT_RUN_VALUES } from "../../src/model/setting-definitions/all-settings.ts";
import type { CodeHost } from "../../src/ports/code-host.ts";
import type { LanguageModel } from "../../src/ports/language-model.ts";
import type { Log } from "../../src/ports/log.ts";
import type { Repository } from "../../src/ports/repository.ts";
import { createTokenCaches } from "../../src/search/token-cache.ts";
import { createRunHandlers } from "../../src/workflow/perform-run.ts";
import { remotePort } from "./remote-port.ts";

/** The parent's options, as JSON in the environment. */
export interface RunWorkerOptions {
  readonly dataDir: string;
  readonly prompts: string;
}

const options = JSON.parse(process.env.WORKER_OPTIONS ?? "{}") as RunWorkerOptions;
const BUDGET = { money: 10, tokens: 10_000_000, minutes: 60 };

/** The product as `wire/start-bot.ts` composes it, except for GitHub and the model, which the parent holds. */
async function work(): Promise<void> {
  const shown = (_name: string, value: unknown) => (value instanceof Error ? value.stack : value);
  const send = (data: object, message: string) => process.send?.({ log: `${message} ${JSON.stringify(data, shown)}` });
  const log: Log = { info: send, warn: send, error: send };
  const database = await openDatabase({ dataDir: options.dataDir, log });
  const model = remotePort<LanguageModel>("model", { worstCase: () => ({ tokens: 10, money: 0.001 }) });
  const hostOf = ({ name }: RepositoryId) => {
    const facts = { login: "magis[bot]", cloneUrl: name, author: undefined };
    return remotePort<CodeHost>(`host ${name}`, facts);
  };
  const shared = { openCodeHost: async (id: RepositoryId) => hostOf(id), log, budget: BUDGET };
  const store = createRunStore(database.pool, log);
  const admit = createAdmission({
    ...shared,
    store,
    queue: {
      unfinished: (repository, issue) => findUnfinished(database.pool, repository, issue),
      unadmitted: async () => [],
      place: async () => ({ ahead: 0 }),
    },
    label: "magis",
    allowedBots: [],
    skipLabels: [],
    readSettings: createSettingsReader({ models: [], budget: BUDGET, defaults: {} }),
  });
  const runs = createRunHandlers({
    ...shared,
    store,
    model,
    prompts: await loadPrompts(options.prompts),
    memory: createEvolutionMemory(database.pool, { maxVersions: 100, log }),
    async openRepository({ url, commit }) {
      const clone = remotePort<{ open(at: string): Promise<Repository["entries"]> }>(`clone ${url}`);
      const entries = await clone.open(commit);
      return remotePort<Repository>(`repository ${url} ${commit}`, { commit, entries, close: () => undefined });
    },
    settings: { ...DEFAULT_RUN_VALUES, ablate: [] },
    patience: { graceMs: 3_600_000, clock: () => performance.now() },
    tokenCache: createTokenCaches(),
    parser: createSourceParser(),
  });
  const handlers = { admit, ...runs };
  const engine = await startEngine({ database, handlers, log, concurrency: 32, version: "1", retentionDays: 30 });
  process.on("message", (message: { readonly delivery?: Delivery }) => {
    if (message.delivery === undefined) return;
    engine.receive(message.delivery).catch((error: unknown) => send({ error: String(error) }, "not received"));
  });
  process.send?.({ ready: true });
}

work().catch((error: unknown) => {
  process.send?.({ refused: error instanceof Error ? error.stack : String(error) }, () => process.exit(1));
});
