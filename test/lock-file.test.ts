import { readFileSync } from "node:fs";
import { describe, expect, it } from "@jest/globals";
import { z } from "zod";

const lockSchema = z.object({
  packages: z.record(
    z.string(),
    z.object({
      version: z.string().optional(),
      resolved: z.string().optional(),
      os: z.array(z.string()).optional(),
      optionalDependencies: z.record(z.string(), z.string()).optional(),
    }),
  ),
});
const { packages } = lockSchema.parse(
  JSON.parse(readFileSync(new URL("../package-lock.json", import.meta.url), "utf8")),
);

const SYSTEMS = ["darwin", "linux", "win32"];
const systemOf = (name: string) => SYSTEMS.find((system) => new RegExp(`-${system}-(x64|arm64)\\b`).test(name));

/** The entry to which Node resolves a name from a package's folder: the nearest above it. */
function entryFor(name: string, folder: string) {
  for (let from = folder; ; from = from.slice(0, Math.max(from.lastIndexOf("/node_modules/"), 0))) {
    const entry = packages[`${from && `${from}/`}node_modules/${name}`];
    if (entry || !from) return entry;
  }
}

/** Packages with an optional package for each platform, and those for the platforms that developers have. */
const native = Object.entries(packages).flatMap(([folder, { optionalDependencies = {} }]) => {
  const bindings = Object.keys(optionalDependencies).filter(systemOf);
  return bindings.length > 0 ? [{ folder, bindings }] : [];
});

describe("the lock file", () => {
  it("knows the native packages of lint, types and tests", () => {
    expect(native.map(({ folder }) => folder)).toEqual(
      expect.arrayContaining(["@biomejs/biome", "@swc/core", "typescript"].map((name) => `node_modules/${name}`)),
    );
  });

  // npm silently leaves out a package that its registry lacks: choose a version for which the registry has all.
  it.each(native)("lists what $folder needs on macOS, Windows and Linux", ({ folder, bindings }) => {
    expect(bindings.filter((name) => !entryFor(name, folder))).toEqual([]);
    expect([...new Set(bindings.map(systemOf))].sort()).toEqual(SYSTEMS);
    for (const name of bindings) expect([name, entryFor(name, folder)?.os]).toEqual([name, [systemOf(name)]]);
  });

  it("names no registry, so that everyone installs from their own", () => {
    expect(Object.values(packages).flatMap(({ resolved = [] }) => resolved)).toEqual([]);
  });
});
