import { posix } from "node:path";
import ignore, { type Ignore } from "ignore";
import { readList } from "../../model/own-files.ts";
import { groupOf } from "../../search/classify-file.ts";

/** How a file judges changes: it configures checks, holds recorded results, or is a test or its material. */
export type JudgingKind = "configuration" | "recorded" | "test";

/** How a file judges changes, by its path; undefined if it does not. Rust's tests beside the code are not known by it. */
export function createJudgingKind(): (file: string) => JudgingKind | undefined {
  rules ??= {
    configuration: matcher().add([...readList("check-files"), ...readList("protected-files")]),
    recorded: matcher().add([...readList("recorded-results")]),
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
