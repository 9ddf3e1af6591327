import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";

/** The demo repository's history: who committed which of its files, oldest first. */
const COMMITS = [
  { author: "Bea", message: "Work out invoices in whole cents", paths: ["package.json", "README.md", "src", "bin"] },
  { author: "Alice", message: "Test invoices and amounts", paths: ["test/invoice.test.js", "test/money.test.js"] },
  { author: "Carl", message: "Export invoices for the accountant", paths: ["tools"] },
];

/** Makes a git repository with that history of the files in `source` at `target`. */
export function createHistory(source: string, target: string): void {
  mkdirSync(target, { recursive: true });
  const git = (...args: string[]) =>
    execFileSync("git", ["-C", target, ...args], { stdio: ["ignore", "ignore", "inherit"] });
  git("init", "--quiet", "--initial-branch", "main");
  for (const { author, message, paths } of COMMITS) {
    for (const path of paths) {
      mkdirSync(dirname(join(target, path)), { recursive: true });
      cpSync(join(source, path), join(target, path), { recursive: true });
    }
    git("add", "--all");
    const email = `${author.toLowerCase()}@example.test`;
    git(
      "-c",
      `user.name=${author}`,
      "-c",
      `user.email=${email}`,
      "-c",
      "commit.gpgsign=false",
      "commit",
      "--quiet",
      "--message",
      message,
    );
  }
}
