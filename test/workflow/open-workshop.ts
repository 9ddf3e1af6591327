import type { Candidate } from "../../src/data/plan.ts";
import type { RunSettings } from "../../src/data/settings.ts";
import type { HostComment, HostIssue } from "../../src/github/code-host.ts";
import type { RememberedVersion } from "../../src/run/evolution-memory.ts";
import { openRun, type RunDependencies } from "../../src/run/open-run.ts";
import { TokenCache } from "../../src/search/token-cache.ts";
import { createFakeHost, type FakeFiles } from "../fakes/create-fake-host.ts";
import { createFakeLog } from "../fakes/create-fake-log.ts";
import { createFakeMemory } from "../fakes/create-fake-memory.ts";
import type { FakeScript } from "../fakes/create-fake-model.ts";
import { createFakeStore } from "../fakes/create-fake-store.ts";
import { openPrompts } from "../fakes/open-prompts.ts";
import { sampleIssue } from "../fakes/sample-issue.ts";
import { sampleRequest } from "../fakes/sample-request.ts";
import { sampleSettings } from "../fakes/sample-settings.ts";
import { sharedParser } from "../fakes/shared-parser.ts";

interface Wanted {
  files?: FakeFiles;
  script?: FakeScript;
  remembered?: readonly RememberedVersion[];
  issue?: Partial<HostIssue>;
  comments?: readonly HostComment[];
  settings?: Partial<RunSettings>;
}

/**
 * A whole run in one of its phases, on fakes. Functions take `tools`, or runs opened with `deps`; the rest is for
 * assertions.
 */
export async function openWorkshop({ files = {}, script = {}, remembered = [], settings = {}, ...host }: Wanted = {}) {
  const fakeHost = createFakeHost(files, host);
  const { log, lines } = createFakeLog();
  const fake = await openPrompts(script);
  const { memory, kept } = createFakeMemory(remembered);
  const { store, parts: record, keep } = createFakeStore();
  const deps: RunDependencies = {
    openCodeHost: async () => fakeHost.host,
    openRepository: async ({ commit }) => fakeHost.openRepository(commit),
    store,
    memory,
    model: fake.model,
    models: { fast: "claude-haiku-5-5", strong: "claude-opus-5-5" },
    prompts: fake.library,
    log,
    budget: { money: 10, tokens: 1_000_000, minutes: 60 },
    settings: sampleSettings(settings),
    parser: sharedParser,
    tokenCache: () => new TokenCache(),
  };
  const tools = {
    ...(await openRun(sampleRequest(), deps, "silent")),
    host: fakeHost.host,
    issue: sampleIssue(),
    base: fakeHost.base,
    repository: fakeHost.openRepository(),
    prompts: fake.prompts,
    openPrompts: () => fake.prompts,
    signal: new AbortController().signal,
    spendByRole: async () => [],
    spentOn: async () => 0,
  };
  const candidate = (path: string): Candidate => {
    const blob = tools.repository.entries.get(path)?.blob ?? "";
    return { path, blob, score: 1, reasons: ["its words"], summary: `About ${path}.` };
  };
  return { ...fakeHost, ...fake, tools, deps, store, keep, record, lines, kept, candidate };
}
