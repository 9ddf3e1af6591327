import { createHash } from "node:crypto";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createChecksVerifier } from "../../src/checks/checks-verifier.ts";
import { runCommand } from "../../src/checks/local/run-command.ts";
import type { TriedChange } from "../../src/run/verifier.ts";
import { verifierContract } from "../contracts/verifier-contract.ts";
import { createFakeHost } from "../fakes/create-fake-host.ts";

type Files = Readonly<Record<string, string>>;

const ENDED = new Map<string, ReturnType<typeof runTests>>();

/** Runs the project's tests as a job would, once for the same files. */
function testsOf(files: Files): ReturnType<typeof runTests> {
  const key = createHash("sha1")
    .update(JSON.stringify(Object.entries(files).sort()))
    .digest("hex");
  const known = ENDED.get(key) ?? runTests(files);
  ENDED.set(key, known);
  return known;
}

async function runTests(files: Files) {
  const folder = await mkdtemp(join(tmpdir(), "magis-job-"));
  try {
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), text);
    }
    const limits = { minutes: 2, memoryMb: 2048 };
    const { code, output } = await runCommand(
      { command: "node --test", folder, environment: process.env, limits },
      new AbortController().signal,
    );
    return { code, output };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A host whose one check runs the tests of each pushed commit and keeps the job's log. */
verifierContract("the checks of a commit on the host", async (project) => {
  const { host, state, base } = createFakeHost(project);
  const check = async (commit: string, files: Files) => {
    const { code, output } = await testsOf(files);
    const jobId = state.next();
    state.jobLogs.set(
      jobId,
      output
        .split("\n")
        .map((line) => `2026-11-20T10:00:00.0000000Z ${line}`)
        .join("\n"),
    );
    const ended = code === 0 ? ("passed" as const) : ("failed" as const);
    const at = Date.parse("2026-11-20T10:00:00Z");
    state.jobs.set(jobId, {
      commit,
      checkRunId: jobId,
      steps: [
        { name: "Set up job", state: "passed", from: at - 5_000, to: at - 4_000 },
        { name: "Run node --test", state: ended, from: at, to: at },
      ],
    });
    const ids = { app: "github-actions", checkRunId: jobId, jobId, runId: 1, byApp: false };
    state.checks.set(commit, [{ ...ids, name: "test", state: ended, summary: "", url: "https://host.example/check" }]);
  };
  await check(base.commit, project);
  const push = async ({ files }: TriedChange) => {
    const all: Record<string, string> = { ...project };
    for (const { path, content } of files) {
      if (content) all[path] = new TextDecoder().decode(content);
      else delete all[path];
    }
    const commit = createHash("sha1").update(JSON.stringify(all)).digest("hex");
    await check(commit, all);
    return commit;
  };
  const verifier = createChecksVerifier(host);
  return {
    base: base.commit,
    verifier: {
      // Push the change first: checks belong to a commit.
      async verify(change, question, signal) {
        if (change.files.length === 0) return verifier.verify(change, question, signal);
        const commit = await push(change);
        const tried = question.ask === "base" ? { ...change, base: commit } : { ...change, commit };
        return verifier.verify(tried, question, signal);
      },
    },
  };
});
