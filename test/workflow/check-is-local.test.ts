import { readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { expect, it } from "@jest/globals";
import { projectRoot } from "../world/project-root.ts";

/** Every file of the project that a program loads. */
function loadedBy(file: string, seen = new Set<string>()): ReadonlySet<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  const imports = readFileSync(file, "utf8").matchAll(
    /^(?:import|export) (?!type\b)[^;]*?from "(\.[^"]+)";|import\("(\.[^"]+)"\)/gm,
  );
  for (const [, fixed, late] of imports) loadedBy(resolve(dirname(file), fixed ?? late ?? ""), seen);
  return seen;
}

it("only the command line loads the code that runs a check, not the server", () => {
  const root = projectRoot();
  const runners = ["src/checks/local/command-verifier.ts", "src/checks/local/run-command.ts"];
  const loaded = (entry: string) => [...loadedBy(join(root, entry))].map((file) => relative(root, file));
  const server = loaded("src/main.ts");
  expect(server.length).toBeGreaterThan(100);
  expect(server.filter((file) => runners.includes(file))).toEqual([]);
  expect(loaded("src/cli.ts")).toEqual(expect.arrayContaining(runners));
});
