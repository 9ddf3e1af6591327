/**
 * Suites that cannot run on Windows, each with what it needs and Windows lacks. Jest leaves them out there, and the
 * closing line says so; all others run.
 */
export const POSIX_SUITES = {
  "test/adapters/command-verifier.test.ts": "sh, and process groups",
  "test/adapters/database/lock-directory.test.ts": "sockets in folders",
  "test/adapters/database/open-database.test.ts": "file permissions",
  "test/adapters/git/hostile-repository.test.ts": "hooks in sh",
  "test/adapters/git/push.test.ts": "hooks in sh",
  "test/adapters/programs.test.ts": "file permissions, and links",
  "test/evaluation/run-grader.test.ts": "sh",
  "test/adapters/write-tree.test.ts": "links, and file permissions",
  "test/bot/first-start.test.ts": "SIGTERM",
  "test/cli/action.test.ts": "bash like a runner's, and signals",
  "test/cli/backup.test.ts": "file permissions",
  "test/cli/doctor/doctor-local.test.ts": "file permissions",
  "test/evaluation/eval.test.ts": "sh",
  "test/cli/forget.test.ts": "SIGTERM",
  "test/cli/private-files.test.ts": "file permissions",
  "test/cli/resolve-ends.test.ts": "SIGINT",
  "test/cli/resolve-hosted.test.ts": "SIGINT, and programs in sh",
  "test/cli/resolve-local.test.ts": "sh, and file permissions",
  "test/cli/setup/setup.test.ts": "file permissions",
  "test/config/environment/own-env-file.test.ts": "file permissions, and links",
  "test/e2e/process.test.ts": "SIGTERM",
  "test/e2e/upgrade.test.ts": "SIGTERM",
  "test/engine/own-process.test.ts": "SIGTERM",
  "test/engine/postgres.test.ts": "SIGTERM",
  "test/eval-instances/grade.test.ts": "sh",
  "test/leave-nothing/leave-nothing.test.ts": "signals",
  "test/package.test.ts": "bash like a runner's",
  "test/wire/audit-log.test.ts": "file permissions",
  "test/cli/init-command.test.ts": "links",
};

/** Patterns of the paths that Jest leaves out on this platform. */
export const notHere = (platform = process.platform) =>
  platform === "win32"
    ? Object.keys(POSIX_SUITES).map((path) => path.replaceAll(/[/.]/g, (one) => (one === "/" ? "[\\\\/]" : "\\.")))
    : [];
