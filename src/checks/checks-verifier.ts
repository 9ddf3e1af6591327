import { checkKey } from "../data/checks.ts";
import { type CommitResults, NO_RESULTS, type RanJob, type RanReport, type RanStep } from "../data/test-results.ts";
import type { Artifact, Check, CodeHost } from "../github/code-host.ts";
import { unzip } from "../github/unzip.ts";
import type { Verifier } from "../run/verifier.ts";
import { judge, lostTests } from "./test-logs/judge.ts";
import { asOne, REPORT_FILE, readReport } from "./test-logs/read-report.ts";
import { readStep } from "./test-logs/read-test-log.ts";
import { imageIn } from "./test-logs/runner-image.ts";
import { splitSteps } from "./test-logs/split-steps.ts";

/** How many bytes of a job's log to read: its end, where runners sum up. */
const MAX_LOG = 8_000_000;

/** How many jobs' logs to read per commit; all jobs of a matrix fail alike. */
const MAX_JOBS = 12;

/**
 * Verifies a change by the repository's checks on the host, once its commit has been pushed. Cannot wait. Reads only
 * the jobs that a question is about, on each of its commits.
 */
export function createChecksVerifier(host: CodeHost): Verifier {
  return {
    async verify({ base, files, commit = base, red }, question) {
      const before = await outlineOf(host, base);
      if (question.ask === "base") {
        const failed = before.results.jobs.filter(({ state }) => state === "failed").map(checkKey);
        const results = isUnended(before) ? before.results : await readJobs(host, before, new Set(failed.slice(0, 1)));
        return judge({ base: results }, question, []);
      }
      const now = await outlineOf(host, commit);
      const alone = red === undefined || question.ask === "red" ? undefined : await outlineOf(host, red);
      const chosen = isUnended(now) ? new Set<string>() : chosenJobs(before, alone ?? now, now);
      const onBase = await readJobs(host, before, chosen);
      const here = await readJobs(host, now, chosen);
      const onRed = alone && (await readJobs(host, alone, chosen));
      const ran = question.ask === "red" ? { red: here } : { green: here, red: onRed };
      return judge(
        { base: onBase, ...ran },
        question,
        files.map(({ path }) => path),
      );
    },
    async lostTests(base, head) {
      const [before, now] = [await outlineOf(host, base), await outlineOf(host, head)];
      const chosen = chosenJobs(before, now, now);
      return lostTests(await readJobs(host, before, chosen), await readJobs(host, now, chosen));
    },
  };
}

/** What ran on a commit, without logs, and what it takes to read them. */
interface Outline {
  commit: string;
  results: CommitResults;
  checks: ReadonlyMap<RanJob, Check>;
}

async function outlineOf(host: CodeHost, commit: string): Promise<Outline> {
  const { checks: all, unfinished } = await host.runsOf(commit);
  const checks = new Map<RanJob, Check>();
  for (const check of all) if (!check.byApp) checks.set(toJob(check), check);
  return { commit, results: { ...NO_RESULTS, jobs: [...checks.keys()], unfinished }, checks };
}

function toJob({ name, app, workflow, state, because, url, seconds, summary }: Check): RanJob {
  return {
    app,
    workflow,
    name,
    summary,
    // A check that hit its time limit proves nothing.
    state: because === "timed-out" ? "neutral" : state,
    because,
    url,
    seconds,
  };
}

const isUnended = ({ results }: Outline) => results.unfinished || results.jobs.some(({ state }) => state === "pending");

const TESTS = /test|spec|check|ci|build/i;

/**
 * The jobs that a question is about: those that fail here but not on the base, and those that failed with the tests
 * alone; if none failed, those that passed on the base, likely ones first.
 */
function chosenJobs(base: Outline, red: Outline, now: Outline): ReadonlySet<string> {
  const passed = new Set(base.results.jobs.filter(({ state }) => state === "passed").map(checkKey));
  const failed = [...red.results.jobs, ...now.results.jobs].filter(({ state }) => state === "failed").map(checkKey);
  const known = [...new Set(failed)].filter((key) => passed.has(key));
  if (known.length > 0 || failed.length > 0) return new Set([...known, ...failed].slice(0, MAX_JOBS));
  const likely = now.results.jobs.filter((job) => job.state === "passed" && passed.has(checkKey(job)));
  likely.sort((a, b) => Number(TESTS.test(b.name)) - Number(TESTS.test(a.name)));
  return new Set(likely.map(checkKey).slice(0, MAX_JOBS));
}

async function readJobs(host: CodeHost, outline: Outline, chosen: ReadonlySet<string>): Promise<CommitResults> {
  const jobs: RanJob[] = [];
  const runs = new Map<number, string>();
  let read = 0;
  for (const job of outline.results.jobs) {
    const check = outline.checks.get(job);
    const isChosen = chosen.has(checkKey(job)) && check?.jobId !== undefined && read < 2 * MAX_JOBS;
    if (!isChosen || !check) {
      jobs.push(job);
      continue;
    }
    read += 1;
    const ran = await readJob(host, check, outline.commit);
    jobs.push({ ...job, ...ran });
    if (ran && check.runId !== undefined) runs.set(check.runId, job.workflow ?? "");
  }
  return { ...outline.results, jobs, reports: await readReports(host, runs) };
}

/**
 * A job's steps and machine, as far as its log exists; undefined when the check run is not the job that it links to.
 */
async function readJob(
  host: CodeHost,
  { jobId = 0, checkRunId }: Check,
  commit: string,
): Promise<Pick<RanJob, "steps" | "image"> | undefined> {
  const job = await host.jobOf(jobId);
  if (!job || job.commit !== commit || job.checkRunId !== checkRunId) return undefined;
  const log = await host.jobLog(jobId, MAX_LOG);
  if (log === undefined) return {};
  const texts = splitSteps(log, job.steps);
  const steps = job.steps.map(({ name, state }, at): RanStep => readStep(name, state, texts[at] ?? ""));
  return { steps, image: imageIn(log) };
}

/** How many artifacts of a workflow run to look into. */
const MAX_ARTIFACTS = 8;

const MAX_ARTIFACT = 20_000_000;

const LIMITS = { entries: 2_000, file: 16_000_000, total: 48_000_000 };

const LIKELY = /test|junit|report|result|xunit|nunit|surefire|trx|tap|coverage/i;

/**
 * The reports of each artifact, joined: a runner that writes a file per class adds one for a new class. After a retry
 * the newest artifact of a name counts; of several runs of a workflow, the one with the most failures.
 */
async function readReports(host: CodeHost, runs: ReadonlyMap<number, string>): Promise<readonly RanReport[]> {
  const reports = new Map<string, RanReport>();
  for (const [run, workflow] of runs) {
    const newest = new Map<string, Artifact>();
    for (const one of await host.artifactsOf(run))
      if (one.id > (newest.get(one.name)?.id ?? 0)) newest.set(one.name, one);
    const found = [...newest.values()].filter(({ name, bytes }) => LIKELY.test(name) && bytes <= MAX_ARTIFACT);
    for (const { id, name } of found.slice(0, MAX_ARTIFACTS)) {
      const archive = await host.artifact(id, MAX_ARTIFACT);
      const files = (archive && (await unzip(archive, (file) => REPORT_FILE.test(file), LIMITS))) ?? [];
      const read = files.map((file) => readReport(file.name, new TextDecoder().decode(file.content)));
      const tests = asOne(read.filter((one) => one !== undefined));
      const key = `${workflow} ${name}`;
      const failed = reports.get(key)?.tests.counts.failed ?? -1;
      if (tests && tests.counts.failed > failed) reports.set(key, { workflow, name, tests });
    }
  }
  return [...reports.values()];
}
