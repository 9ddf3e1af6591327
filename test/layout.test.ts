import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { describe, expect, it } from "@jest/globals";

const ROOT = join(import.meta.dirname, "..");
const read = (path: string) => readFileSync(join(ROOT, path), "utf8");

const files = readdirSync(join(ROOT, "src"), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
  .map((entry) => posix.join("src", posix.relative(posix.join(ROOT, "src"), posix.join(entry.parentPath, entry.name))))
  .sort();
const folders = [...new Set(files.map((file) => dirname(file)))];

/** Our own files that each file imports, types included. */
const imports = new Map(
  files.map((file) => {
    const found = read(file).matchAll(/(?:\bfrom|\bimport)\s*\(?\s*"(\.[^"]+)"/g);
    return [file, [...found].map(([, to = ""]) => posix.normalize(posix.join(dirname(file), to)))];
  }),
);

/** Cycles of `from` → `to`, each as the names on its path. */
function cycles(edges: ReadonlyMap<string, readonly string[]>): string[] {
  const found: string[] = [];
  const done = new Set<string>();
  const visit = (node: string, path: readonly string[]): void => {
    if (path.includes(node)) found.push([...path.slice(path.indexOf(node)), node].join(" → "));
    else if (!done.has(node)) {
      for (const next of edges.get(node) ?? []) visit(next, [...path, node]);
      done.add(node);
    }
  };
  for (const node of edges.keys()) visit(node, []);
  return found;
}

describe("the layout of src", () => {
  it("has no cycle of imports", () => {
    expect(cycles(imports)).toEqual([]);
  });

  it("has no two folders that import each other", () => {
    const pairs = new Set<string>();
    for (const [file, targets] of imports) {
      for (const target of targets)
        if (dirname(target) !== dirname(file)) pairs.add(`${dirname(file)} ${dirname(target)}`);
    }
    const mutual = [...pairs].filter((pair) => pairs.has(pair.split(" ").reverse().join(" ")));
    expect(mutual).toEqual([]);
  });

  it("reads the environment in one place", () => {
    const readers = files.filter((file) => /\bprocess\.(?:env|cwd)\b/.test(read(file)));
    expect(readers).toEqual(["src/settings/environment/read-config.ts"]);
  });

  it("keeps the profiles apart", () => {
    const [lean, paper] = ["src/agents/lean/", "src/agents/paper/"];
    const across = [...imports].filter(
      ([file, targets]) =>
        (file.startsWith(lean) && targets.some((target) => target.startsWith(paper))) ||
        (file.startsWith(paper) && targets.some((target) => target.startsWith(lean))),
    );
    expect(across).toEqual([]);
  });

  it("has one entry to the view that agents get", () => {
    const view = "src/agents/lean/view/";
    const others = [...imports].filter(([file]) => !file.startsWith(view));
    const seen = new Set(others.flatMap(([, targets]) => targets.filter((target) => target.startsWith(view))));
    expect([...seen]).toEqual([`${view}view.ts`]);
  });

  const rooms = [...read("src/README.md").matchAll(/^ {4}(\S+) {2}/gm)].map(([, room = ""]) => room);
  const roomOf = (file: string) => (file.split("/").length > 2 ? (file.split("/")[1] ?? "") : undefined);

  it("has the rooms that its README lists", () => {
    expect(new Set(files.flatMap((file) => roomOf(file) ?? []))).toEqual(new Set(rooms));
  });

  it("has no import that points up", () => {
    const depth = (file: string) => rooms.indexOf(roomOf(file) ?? "");
    const up = [...imports].flatMap(([file, targets]) =>
      targets.filter((target) => depth(target) < depth(file)).map((target) => `${file} → ${target}`),
    );
    expect(up).toEqual([]);
  });

  it("does no I/O in the rooms that only compute", () => {
    const pure = files.filter((file) => /^src\/(?:text|search|change|report)\//.test(file));
    const modules = /from "node:(?:child_process|dns|fs|http|https|net|worker_threads)\b/;
    expect(pure.filter((file) => modules.test(read(file)))).toEqual([]);
  });

  it.each(folders.filter((folder) => folder !== "src"))(
    "has a README of 3 to 10 lines in %s that names only files that exist",
    (folder) => {
      const text = read(`${folder}/README.md`);
      const count = text.trimEnd().split("\n").length;
      expect(count).toBeGreaterThanOrEqual(3);
      expect(count).toBeLessThanOrEqual(10);
      const named = [...text.matchAll(/`([a-z][\w-]*\.ts)`/g)].map(([, name = ""]) => name);
      const missing = named.filter(
        (name) => !existsSync(join(ROOT, folder, name)) && !existsSync(join(ROOT, "src", name)),
      );
      expect(missing).toEqual([]);
    },
  );
});

describe("the way of a label in CONTRIBUTING.md", () => {
  const section = read("CONTRIBUTING.md").split("## The way of a label")[1]?.split("\n## ")[0] ?? "";
  const spine = [...section.matchAll(/^\| \d+ \| `([\w/.-]+\.ts)`/gm)].map(([, path = ""]) => `src/${path}`);

  it("has at most 14 files, none twice", () => {
    expect(spine.length).toBeGreaterThan(10);
    expect(spine.length).toBeLessThanOrEqual(14);
    expect(new Set(spine).size).toBe(spine.length);
    expect(spine.filter((file) => !files.includes(file))).toEqual([]);
  });

  it("follows imports, or what the composition hands in", () => {
    const handed = [...section.matchAll(/^\| (\d+) \|.*\| handed in \|$/gm)].map(([, number]) => Number(number));
    const broken = spine.flatMap((file, at) => {
      if (at === 0 || handed.includes(at + 1)) return [];
      return spine.slice(0, at).some((earlier) => imports.get(earlier)?.includes(file)) ? [] : [file];
    });
    expect(broken).toEqual([]);
  });
});

describe("CONTRIBUTING.md and the decisions", () => {
  const all = [
    ...readdirSync(ROOT),
    ...["bench", "demo", "docs", "eval", "lint", "pages", "prompts", "src", "test"].flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" }).map((path) => join(folder, path)),
    ),
  ].map((path) => `/${path.replaceAll("\\", "/")}`);

  it.each(["CONTRIBUTING.md", "docs/decisions.md"])("name only files that exist (%s)", (document) => {
    const named = [...read(document).matchAll(/`([\w./-]+\.(?:ts|js|json|md|liquid))`/g)].map(([, path = ""]) => path);
    expect(named.length).toBeGreaterThan(0);
    const isThere = (path: string) => all.some((one) => one.endsWith(`/${path}`));
    expect(named.filter((path) => !/NAME|ID/.test(path) && !isThere(path))).toEqual([]);
  });

  it("keep CONTRIBUTING.md within 8 kB", () => {
    expect(Buffer.byteLength(read("CONTRIBUTING.md"))).toBeLessThanOrEqual(8_000);
  });
});
