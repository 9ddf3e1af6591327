import type { Candidate } from "../../src/model/plan.ts";
import type { KeepPart, RecordParts } from "../../src/model/run-record.ts";
import { initialState } from "../../src/model/run-state.ts";
import type { RunSettings } from "../../src/model/settings.ts";
import { NO_SPEND } from "../../src/model/spend.ts";
import type { HostComment, HostIssue } from "../../src/ports/code-host.ts";
import type { RememberedVersion } from "../../src/ports/evolution-memory.ts";
import { TokenCache } from "../../src/search/token-cache.ts";
import { createPathPolicy } from "../../src/workflow/change/path-policy.ts";
import { createTracker } from "../../src/workflow/run/tracker.ts";
import { createFakeHost, type FakeFiles } from "../fakes/create-fake-host.ts";
import { createFakeLog } from "../fakes/create-fake-log.ts";
import { createFakeMemory } from "../fakes/create-fake-memory.ts";
import type { FakeScript } from "../fakes/create-fake-model.ts";
import { openPrompts } from "../fakes/open-prompts.ts";
import { sampleIssue } from "../fakes/sample-issue.ts";
import { sampleRequest } from "../fakes/sample-request.ts";
import { sampleSettings } from "../fakes/sample-settings.ts";
import { sharedParser } from "../fakes/shared-parser.ts";

interface Wanted {
  readonly files?: FakeFiles;
  readonly script?: FakeScript;
  readonly remembered?: readonly RememberedVersion[];
  readonly issue?: Partial<HostIssue>;
  readonly comments?: readonly HostComment[];
  readonly settings?: Partial<RunSettings>;
}

/** Everything a phase works with, on fakes. Phases take `tools`; the rest is for assertions. */
export async function openWorkshop({ files = {}, script = {}, remembered = [], settings = {}, ...host }: Wanted = {}) {
  const fakeHost = createFakeHost(files, host);
  const { log, lines } = createFakeLog();
  const fake = await openPrompts(script);
  const { memory, kept } = createFakeMemory(remembered);
  const record: Partial<RecordParts> = {};
  const tracker = createTracker({
    initial: initialState(),
    spend: () => NO_SPEND,
    show: async () => ({ isNew: false }),
    keep: async () => undefined,
    log,
  });
  const tools = {
    issue: sampleIssue(),
    request: sampleRequest(),
    repositoryId: sampleRequest().repository,
    base: fakeHost.base,
    host: fakeHost.host,
    repository: fakeHost.openRepository(),
    prompts: fake.prompts,
    memory,
    tracker,
    log,
    models: ["claude-opus-5-5", "claude-haiku-5-5"],
    clock: { standStill: () => undefined, goOn: () => undefined },
    settings: sampleSettings(settings),
    parser: sharedParser,
    policy: createPathPolicy({ ignore: [], protect: [], unprotect: [], only: [] }),
    tokenCache: new TokenCache(),
    record: (async (part, value) => void Object.assign(record, { [part]: value })) satisfies KeepPart,
    spendByRole: async () => [],
    spentOn: async () => 0,
  };
  const candidate = (path: string): Candidate => {
    const blob = tools.repository.entries.get(path)?.blob ?? "";
    return { path, blob, score: 1, reasons: ["its words"], summary: `About ${path}.` };
  };
  return { ...fakeHost, ...fake, tools, record, lines, kept, candidate };
}
