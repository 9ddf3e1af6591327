/**
 * Suites that cannot run on Windows, each with what it needs and Windows lacks. Jest leaves them out there, and the
 * closing line says so; all others run.
 */
export const POSIX_SUITES = {
  "test/checks/local/command-verifier.test.ts": "sh, and process groups",
  "test/queue/database/lock-directory.test.ts": "sockets in folders",
  "test/queue/database/open-database.test.ts": "file permissions",
  "test/git/hostile-repository.test.ts": "hooks in sh",
  "test/git/push.test.ts": "hooks in sh",
  "test/git/programs.test.ts": "file permissions, and links",
  "test/evaluation/run-grader.test.ts": "sh",
  "test/checks/local/write-tree.test.ts": "links, and file permissions",
  "test/bot/first-start.test.ts": "SIGTERM",
  "test/commands/action.test.ts": "bash like a runner's, and signals",
  "test/commands/backup.test.ts": "file permissions",
  "test/commands/doctor/doctor-local.test.ts": "file permissions",
  "test/evaluation/eval.test.ts": "sh",
  "test/commands/forget.test.ts": "SIGTERM",
  "test/commands/private-files.test.ts": "file permissions",
  "test/commands/resolve-hosted.test.ts": "SIGINT, and programs in sh",
  "test/commands/resolve-local.test.ts": "sh, file permissions, and SIGINT",
  "test/commands/setup/setup.test.ts": "file permissions",
  "test/settings/environment/own-env-file.test.ts": "file permissions, and links",
  "test/settings/environment/write-env-file.test.ts": "file permissions",
  "test/e2e/stopping.test.ts": "SIGTERM",
  "test/e2e/upgrade.test.ts": "SIGTERM",
  "test/queue/own-process.test.ts": "SIGTERM",
  "test/queue/postgres.test.ts": "SIGTERM",
  "test/eval-instances/grade.test.ts": "sh",
  "test/leave-nothing/leave-nothing.test.ts": "signals",
  "test/package.test.ts": "bash like a runner's",
  "test/app/audit-log.test.ts": "file permissions",
  "test/commands/init-command.test.ts": "links",
};

/** Patterns of the paths that Jest leaves out on this platform. */
export const notHere = (platform = process.platform) =>
  platform === "win32"
    ? Object.keys(POSIX_SUITES).map((path) => path.replaceAll(/[/.]/g, (one) => (one === "/" ? "[\\\\/]" : "\\.")))
    : [];
