/**
 * Suites that cannot be run on Windows, by what they need that it has not. They are left out there, and the closing line
 * says so; everything else is tried.
 */
export const POSIX_SUITES = {
  "test/adapters/command-verifier.test.ts": "sh, and groups of processes",
  "test/adapters/database/lock-directory.test.ts": "sockets in folders",
  "test/adapters/database/open-database.test.ts": "rights of files",
  "test/adapters/git/hostile-repository.test.ts": "hooks in sh",
  "test/adapters/git/push.test.ts": "hooks in sh",
  "test/adapters/programs.test.ts": "rights of files, and links",
  "test/adapters/run-grader.test.ts": "sh",
  "test/adapters/write-tree.test.ts": "links, and rights of files",
  "test/bot/first-start.test.ts": "SIGTERM",
  "test/cli/action.test.ts": "bash as a runner's, and signals",
  "test/cli/backup.test.ts": "rights of files",
  "test/cli/doctor/doctor-local.test.ts": "rights of files",
  "test/cli/eval.test.ts": "SIGINT",
  "test/cli/forget.test.ts": "SIGTERM",
  "test/cli/private-files.test.ts": "rights of files",
  "test/cli/resolve-ends.test.ts": "SIGINT",
  "test/cli/resolve-hosted.test.ts": "SIGINT, and programs in sh",
  "test/cli/resolve-local.test.ts": "sh, and rights of files",
  "test/cli/setup/setup.test.ts": "rights of files",
  "test/config/environment/own-env-file.test.ts": "rights of files, and links",
  "test/e2e/bytes.test.ts": "rights of files",
  "test/e2e/process.test.ts": "SIGTERM",
  "test/engine/own-process.test.ts": "SIGTERM",
  "test/engine/postgres.test.ts": "SIGTERM",
  "test/eval-instances/grade.test.ts": "sh",
  "test/leave-nothing/leave-nothing.test.ts": "signals",
  "test/package.test.ts": "bash as a runner's",
  "test/wire/audit-log.test.ts": "rights of files",
  "test/world/world.test.ts": "sockets in folders",
};

/** Patterns of the paths that Jest leaves out on this platform. */
export const notHere = (platform = process.platform) =>
  platform === "win32"
    ? Object.keys(POSIX_SUITES).map((path) => path.replaceAll(/[/.]/g, (one) => (one === "/" ? "[\\\\/]" : "\\.")))
    : [];
