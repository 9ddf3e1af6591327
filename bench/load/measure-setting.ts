import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { computingOf, computingOfAll, type OwnProcess, residentMb, startProcess } from "./own-process.ts";
import { type Answers, type LoadOptions, sendWebhooks, type WebhookLoad } from "./send-webhooks.ts";
import type { Cluster } from "./start-cluster.ts";
import { startWorldProcess, type WorldProcess } from "./start-world-process.ts";
import type { RunTimes } from "./world-messages.ts";

/** How many bots there are, and on which database. */
export interface Setting {
  name: string;
  processes: number;
  /** one more process takes all webhooks and does no runs */
  hasFront?: boolean;
  /** absent: the embedded database */
  cluster?: Cluster;
}

export interface LoadSize {
  installations: number;
  /** webhooks a second */
  rate: number;
  seconds: number;
  runs: number;
  /** runs at once, over all processes */
  together: number;
  /** how long the model takes for a call, in milliseconds */
  callMs: number;
  /** the built checkout whose bot is measured */
  checkout: string;
  /** folder for CPU profiles of the bots */
  profiles?: string | undefined;
}

/** What was measured: times in milliseconds, computing in seconds a run, sizes as named. */
export interface LoadMeasure {
  setting: string;
  /** time of all runs, divided by runs × the model's time for one run / runs at once */
  timesIdeal: number;
  /** a run alone, divided by the model's time for it */
  aloneTimesModel: number;
  quietP99: number;
  webhookP50: number;
  webhookP99: number;
  healthP99: number;
  emptyP99: number;
  /** why each of them failed */
  failedWebhooks: readonly string[];
  /** also of runs that find no place yet */
  firstCommentP50: number;
  firstCommentP99: number;
  /** mean wait until a run begins: of installations with one run, divided by that of the installation with most */
  fairness: number;
  memoryMbOfRun: number;
  growthKbOfRun: number;
  growthKbOfComment: number;
  /** of 1,000 webhooks */
  webhooksComputing: number;
  /** of a run, without the webhooks beside it */
  botComputing: number;
  worldComputing: number;
  databaseComputing: number;
  notOpened: number;
}

const EMPTY = fileURLToPath(new URL("empty-worker.js", import.meta.url));

const QUIET_SECONDS = 10;

/** TMPDIR also marks a process as one of the bench's, so that none is left when the bench is killed. */
const ownVariables = () => ({ PATH: process.env.PATH, TMPDIR: process.env.TMPDIR });

const SAMPLE_MS = 500;

/** Repositories of the installation that asks for most of the runs, first. */
const LARGE_SHARE = 0.3;

/** Measures one setting from its start to its end. */
export async function measureSetting(setting: Setting, size: LoadSize): Promise<LoadMeasure> {
  const folder = mkdtempSync(join(tmpdir(), "magis-load-"));
  const world = startWorldProcess();
  const started: OwnProcess[] = [];
  try {
    const { environment } = await world.ask({ do: "open", repositories: repositoriesOf(size), callMs: size.callMs });
    const url = await setting.cluster?.createDatabase(`magis_${setting.processes}_${Date.now()}`);
    const ready = /listening on port (\d+)/;
    const empty = await startProcess([process.execPath, EMPTY], { environment: ownVariables(), ready });
    started.push(empty);
    const bots: OwnProcess[] = [];
    const share = size.together / setting.processes;
    const front = setting.hasFront ? [0] : [];
    for (const concurrency of [...front, ...Array.from({ length: setting.processes }, () => share)]) {
      const place = { url, folder, concurrency };
      const bot = await startProcess(commandOf(size), { environment: environmentOf(environment, place), ready });
      bots.push(bot);
      started.push(bot);
    }
    const load = {
      ...size,
      bots: bots.slice(0, setting.hasFront ? 1 : undefined).map(addressOf),
      empty: addressOf(empty),
      secret: environment.WEBHOOK_SECRET ?? "",
    };
    return await measure({ setting, size, world, bots, load, sizeNow: () => databaseBytes(url, folder) });
  } finally {
    for (const one of started.reverse()) await one.stop();
    await world.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Measured {
  setting: Setting;
  size: LoadSize;
  world: WorldProcess;
  bots: readonly OwnProcess[];
  load: Omit<LoadOptions, "first">;
  /** bytes of the database */
  sizeNow(): Promise<number>;
}

async function measure({ setting, size, world, bots, load, sizeNow }: Measured): Promise<LoadMeasure> {
  await world.ask({ do: "aim", webhookUrls: load.bots.map((url) => `${url}/api/github/webhooks`) });
  const alone = await world.ask({ do: "ask", repositories: ["large/repository-0"] });
  const modelMs = (alone.runs[0]?.calls ?? 0) * size.callMs;

  const computing = () => ({
    bots: sum(bots.map(({ pid }) => computingOf(pid))),
    world: computingOfAll(world.pid),
    database: setting.cluster?.pid ? computingOfAll(setting.cluster.pid) : 0,
  });
  const empty = await sizeNow();
  const idle = computing();
  const quiet = await sendWebhooks({ ...load, seconds: Math.min(QUIET_SECONDS, load.seconds), first: 0 });
  const computed = computing();
  const ofWebhook = (computed.bots - idle.bots) / quiet.webhooks.times.length;
  const before = await sizeNow();
  const ofComment = (before - empty) / quiet.comments;

  const memoryBefore = sum(bots.map(({ pid }) => residentMb(pid)));
  const peak = watchPeak(() => sum(bots.map(({ pid }) => residentMb(pid))));
  const [together, loud] = await Promise.all([
    world.ask({ do: "ask", repositories: askedOf(size) }),
    sendWebhooks({ ...load, first: size.rate * QUIET_SECONDS }),
  ]);
  const now = computing();
  const growth = (await sizeNow()) - before - loud.comments * ofComment;
  const { runs } = together;
  return {
    setting: setting.name,
    timesIdeal: together.ms / ((runs.length * modelMs) / size.together),
    aloneTimesModel: alone.ms / modelMs,
    ...webhookFigures(quiet, loud),
    ...runFigures(runs),
    memoryMbOfRun: (peak() - memoryBefore) / size.together,
    growthKbOfRun: growth / runs.length / 1_024,
    growthKbOfComment: ofComment / 1_024,
    webhooksComputing: ofWebhook * 1_000,
    botComputing: (now.bots - computed.bots - loud.webhooks.times.length * ofWebhook) / runs.length,
    worldComputing: (now.world - computed.world) / runs.length,
    databaseComputing: (now.database - computed.database) / runs.length,
  };
}

function webhookFigures(quiet: WebhookLoad, { webhooks, health, empty }: WebhookLoad) {
  return {
    quietP99: share(quiet.webhooks, 0.99),
    webhookP50: share(webhooks, 0.5),
    webhookP99: share(webhooks, 0.99),
    healthP99: share(health, 0.99),
    emptyP99: share(empty, 0.99),
    failedWebhooks: [...quiet.webhooks.failed, ...webhooks.failed],
  };
}

function runFigures(runs: readonly RunTimes[]) {
  const comments = runs.map(({ asked, commented }) => commented - asked);
  const waits = (isLarge: boolean) =>
    mean(runs.filter((run) => run.repository.startsWith("large/") === isLarge).map((run) => run.began - run.asked));
  return {
    firstCommentP50: quantile(comments, 0.5),
    firstCommentP99: quantile(comments, 0.99),
    fairness: waits(false) / waits(true),
    notOpened: runs.filter(({ opened }) => !opened).length,
  };
}

/** The repositories that exist: some of one large installation, and one each of the others. */
function repositoriesOf(size: LoadSize): readonly string[] {
  const large = Math.ceil(size.runs * LARGE_SHARE);
  const others = size.runs - 2 * large;
  return [
    ...Array.from({ length: large }, (_, at) => `large/repository-${at}`),
    ...Array.from({ length: others }, (_, at) => `owner-${at}/repository`),
  ];
}

/** One run in each repository, and before them a second one in each of the large installation. */
function askedOf(size: LoadSize): readonly string[] {
  const all = repositoriesOf(size);
  return [...all.filter((name) => name.startsWith("large/")), ...all];
}

function commandOf({ checkout, profiles }: LoadSize): readonly string[] {
  const flags = profiles === undefined ? [] : ["--cpu-prof", `--cpu-prof-dir=${profiles}`];
  return [process.execPath, ...flags, join(checkout, "dist", "main.js")];
}

interface BotPlace {
  url: string | undefined;
  folder: string;
  concurrency: number;
}

function environmentOf(world: Readonly<Record<string, string>>, { url, folder, concurrency }: BotPlace) {
  return {
    ...ownVariables(),
    PORT: "0",
    HOST: "127.0.0.1",
    LOG_LEVEL: "info",
    ...world,
    DATABASE_URL: url,
    MAGIS_DATA_DIR: join(folder, "data"),
    MAGIS_CONCURRENCY: String(Math.ceil(concurrency)),
    MAGIS_OPEN_PULL_REQUESTS: "100",
    // The large installation would come to GitHub's limit of writes in an hour, and its runs would wait.
  };
}

const addressOf = ({ line }: OwnProcess) => `http://127.0.0.1:${/listening on port (\d+)/.exec(line)?.[1]}`;

/** The size of the tables and indexes: of the server's database, or of the embedded one's files without its log. */
async function databaseBytes(url: string | undefined, folder: string): Promise<number> {
  if (url === undefined) return bytesOf(join(folder, "data", "postgres", "base"));
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client
    .query<{ bytes: string }>("SELECT pg_database_size(current_database()) AS bytes")
    .finally(() => client.end());
  return Number(rows[0]?.bytes);
}

function bytesOf(folder: string): number {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return sum(entries.filter((one) => one.isFile()).map((one) => statSync(join(one.parentPath, one.name)).size));
}

/** Watches a value; gives a function that ends that and returns the highest. */
function watchPeak(read: () => number): () => number {
  let peak = read();
  const timer = setInterval(() => {
    peak = Math.max(peak, read());
  }, SAMPLE_MS);
  return () => {
    clearInterval(timer);
    return peak;
  };
}

const sum = (values: readonly number[]) => values.reduce((all, one) => all + one, 0);

const mean = (values: readonly number[]) => sum(values) / values.length;

const share = ({ times }: Answers, part: number) => quantile(times, part);

function quantile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * part) - 1)] ?? Number.NaN;
}
