import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

const AUTHOR = { GIT_AUTHOR_NAME: "A", GIT_AUTHOR_EMAIL: "a@example.org", GIT_AUTHOR_DATE: "2026-01-01T00:00:00Z" };
const COMMITTER = {
  GIT_COMMITTER_NAME: "A",
  GIT_COMMITTER_EMAIL: "a@example.org",
  GIT_COMMITTER_DATE: "2026-01-01T00:00:00Z",
};

/** Runs git in `folder`, without the user's configuration. */
function git(folder: string, ...words: string[]): string {
  const env = { PATH: process.env.PATH ?? "", HOME: folder, GIT_CONFIG_NOSYSTEM: "1", ...AUTHOR, ...COMMITTER };
  return execFileSync("git", ["-C", folder, ...words], { encoding: "utf8", env, stdio: ["ignore", "pipe", "pipe"] });
}

type Files = Readonly<Record<string, string>>;

function write(folder: string, files: Files): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

/** Commits `base` in `folder`, and gives the commit and the patch from it to `base` with `solution`. */
function makeRepository(folder: string, base: Files, solution: Files) {
  mkdirSync(folder, { recursive: true });
  git(folder, "init", "--quiet", "--initial-branch=main");
  write(folder, base);
  git(folder, "add", "--all");
  git(folder, "commit", "--quiet", "--message=base");
  const commit = git(folder, "rev-parse", "HEAD").trim();
  write(folder, solution);
  git(folder, "add", "--all");
  const patch = git(folder, "diff", "--cached");
  git(folder, "reset", "--quiet", "--hard");
  return { commit, patch };
}

const MONEY = ["// Money.", "export function roundCents(cents) {", "  return Math.floor(cents);", "}", ""].join("\n");
const TILL = [
  'import { roundCents } from "./money.js";',
  "",
  "export function total(items) {",
  "  let sum = 0;",
  "  for (const item of items) sum += item.cents;",
  "  return roundCents(sum);",
  "}",
  "",
].join("\n");
const README = "# Shop\n\nA shop rounds cents. The till adds up what was bought.\n";

/**
 * Two instances on two repositories: `acme__shop-1`, a bare mirror `acme__shop.git`, whose reference change is line 3 of
 * src/money.js; and `acme__till-2`, a working copy `acme/till`, whose reference change is line 4 of src/till.js and a new
 * file. Gives the instances' file and the mirrors' folder.
 */
export function makeInstances() {
  const folder = mkdtempSync(join(tmpdir(), "magis-eval-"));
  const mirrors = join(folder, "mirrors");
  const base = { "src/money.js": MONEY, "src/till.js": TILL, "README.md": README };
  const shop = makeRepository(join(folder, "shop"), base, { "src/money.js": MONEY.replace("floor", "round") });
  mkdirSync(mirrors);
  git(folder, "clone", "--quiet", "--bare", "shop", "mirrors/acme__shop.git");
  const tillSolution = { "src/till.js": TILL.replace("let sum = 0", "let sum = 0.0"), "docs/till.md": "# Till\n" };
  const till = makeRepository(join(mirrors, "acme", "till"), { ...base, LICENSE: "MIT\n" }, tillSolution);
  const instances = [
    {
      instance_id: "acme__shop-1",
      repo: "acme/shop",
      base_commit: shop.commit,
      patch: shop.patch,
      problem_statement: "roundCents rounds down\n\n`roundCents(1.6)` gives 1 and should give 2.",
      hints_text: "",
      FAIL_TO_PASS: '["rounds"]',
      PASS_TO_PASS: "[]",
    },
    {
      instance_id: "acme__till-2",
      repo: "acme/till",
      base_commit: till.commit,
      patch: till.patch,
      problem_statement: "The till's total is wrong\n\nIt should begin with a decimal.",
      hints_text: "It is where the sum begins.",
      FAIL_TO_PASS: ["adds"],
      PASS_TO_PASS: [],
    },
  ];
  const file = join(folder, "instances.jsonl");
  writeFileSync(file, instances.map((one) => `${JSON.stringify(one)}\n`).join(""));
  return { folder, mirrors, file, instances, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
