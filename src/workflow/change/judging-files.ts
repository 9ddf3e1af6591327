import { existsSync, readFileSync } from "node:fs";
import path, { posix } from "node:path";
import { fileURLToPath } from "node:url";
import ignore, { type Ignore } from "ignore";
import { groupOf } from "../../search/classify-file.ts";
import { RUNS_CHECKS } from "./path-policy.ts";
import { REPORTED_STARTUP_FILES } from "./startup-files.ts";

/** How a file judges changes: it configures checks, holds recorded results, or is a test or its material. */
export type JudgingKind = "configuration" | "recorded" | "test";

/** How a file judges changes, by its path; undefined if it does not. Rust's tests beside the code are not known by it. */
export function createJudgingKind(): (file: string) => JudgingKind | undefined {
  rules ??= {
    configuration: rulesOf("check-files", [...RUNS_CHECKS, ...REPORTED_STARTUP_FILES]),
    recorded: rulesOf("recorded-results"),
  };
  // A matcher remembers the paths that it was asked about.
  const [configuration, recorded] = [matcher().add(rules.configuration), matcher().add(rules.recorded)];
  return (file) => {
    if (configuration.ignores(file)) return "configuration";
    if (recorded.ignores(file)) return "recorded";
    const { dir, ext } = posix.parse(file);
    // What is left out by its own name (`a.min.js`, `a.png`) is material in a folder of material.
    const group = groupOf(file) ?? (ext === "" ? null : groupOf(posix.join(dir, "material.json")));
    return group === "test" || group === "fixture" ? "test" : undefined;
  };
}

let rules: { readonly configuration: Ignore; readonly recorded: Ignore } | undefined;

const matcher = () => ignore({ ignorecase: true, allowRelativePaths: true });

const rulesOf = (list: string, further: readonly string[] = []): Ignore =>
  matcher()
    .add(readList(list))
    .add([...further]);

/** A list of other people's files, as `lists` has it; anybody can add a line to it. */
const readList = (name: string): string => readFileSync(path.join(ownFolder(), "lists", `${name}.txt`), "utf8");

/** The package's own folder: the program may run from `src`, `dist` or `build/src`. */
function ownFolder(): string {
  let folder = path.dirname(fileURLToPath(import.meta.url));
  while (!existsSync(path.join(folder, "package.json")) && folder !== path.dirname(folder))
    folder = path.dirname(folder);
  return folder;
}
