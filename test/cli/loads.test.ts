import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { listed } from "../../src/search/patterns.ts";
import { NODE_FLAGS } from "../bot/node-flags.ts";
import { projectRoot } from "../world/project-root.ts";

const KEY = { ANTHROPIC_API_KEY: "k" };
const EVENT = { GITHUB_EVENT_NAME: "watch", GITHUB_EVENT_PATH: "event.json", GITHUB_REPOSITORY: "a/b" };

/** What is dear to load, and no command needs before it does its work. */
const DEAR = listed(
  "^",
  `@anthropic-ai @dbos-inc @electric-sql @octokit acorn bottleneck diff isomorphic-git liquidjs lunr markdown-it openai
  parse5 pg pino probot re2js smee-client tar web-tree-sitter yaml`,
  "($|[/-])",
);

/** Command lines that end early, one after the other, and the dear packages that each loads besides those before it. */
const ENDING_EARLY: readonly (readonly [string, string, RegExp, (readonly string[])?])[] = [
  ["--version", "", /^\d/],
  ["help", "", /^Usage: magis COMMAND/],
  ["help resolve", "", /^Usage: magis resolve/],
  ["resolv", "", /unknown command|Unknown command/],
  ["show --nope", "", /Unknown option '--nope'/],
  ["doctor a/b/c", "", /Name one repository/],
  ["show", "", /No run of the command line is kept yet/],
  ["show none.json", "", /none\.json cannot be read/],
  ["forget a/b", "", /There is no database in/],
  ["resolve a/b#1", "", /^ANTHROPIC_API_KEY is missing/],
  ["resolve a/b#1 --open-pr", "key", /^GITHUB_TOKEN is missing/],
  ["action", "", /There is no event/],
  ["action", "event", /The event starts nothing/],
  ["action --ended", "event", /^/],
  ["setup", "app", /An app is configured already/],
  ["doctor --offline", "", /configuration: No GitHub App is configured/],
  // A repository has to be there, and an issue to be one.
  ["resolve --repo . --issue empty.md", "key", /is empty/, ["isomorphic-git", "parse5"]],
  ["resolve --repo . --issue issue.md", "key", /There is no git repository/],
];

const ENVIRONMENTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "": {},
  key: KEY,
  event: EVENT,
  app: { APP_ID: "1" },
};

interface Result {
  readonly exitCode: number;
  readonly said: string;
  readonly packages: readonly string[];
}

describe("what a command loads before it does its work", () => {
  let folder: string;
  let results: readonly Result[];
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "magis-loads-"));
    await writeFile(join(folder, "empty.md"), "\n \n");
    await writeFile(join(folder, "issue.md"), "# It is wrong\n");
    await writeFile(join(folder, "event.json"), "{}");
    const notes = join(folder, "notes");
    const given = ENDING_EARLY.map(([line, name]) => ({
      words: line.split(" "),
      environment: { ...ENVIRONMENTS[name], XDG_STATE_HOME: folder },
    }));
    const script = join(projectRoot(), "test", "cli", "list-loads.js");
    const program = join(projectRoot(), "dist", "run-command.js");
    const args = [...NODE_FLAGS, script, program, notes, JSON.stringify(given)];
    await promisify(execFile)(process.execPath, args, { cwd: folder });
    results = JSON.parse(await readFile(notes, "utf8")) as readonly Result[];
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it.each(ENDING_EARLY.map(([line, name, said, packages = []], at) => ({ line, name, said, packages, at })))(
    "magis $line $name: $packages",
    ({ said, packages, at }) => {
      const result = results[at];
      expect(result?.said).toMatch(said);
      expect(result?.packages.filter((name) => DEAR.test(name)).sort()).toEqual([...packages].sort());
    },
  );
});
