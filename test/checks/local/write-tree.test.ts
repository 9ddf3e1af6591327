import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { type Tree, type TreeLink, writeTree } from "../../../src/checks/local/write-tree.ts";
import { fc } from "../../seeded.ts";

type Named = Readonly<Record<string, string>>;

async function* filesOf(files: Named): Tree["files"] {
  for (const [path, text] of Object.entries(files))
    yield { path, content: new TextEncoder().encode(text), executable: path.endsWith(".sh") };
}

const linksOf = (links: Named): TreeLink[] => Object.entries(links).map(([path, target]) => ({ path, target }));

/** Writes a tree deep in a folder of its own, and hands over both; nothing but the tree may be in the outer one then. */
async function written<T>(
  { files = {}, links = {}, folders = [] }: { files?: Named; links?: Named; folders?: readonly string[] },
  use: (folder: string, outer: string) => T,
): Promise<T> {
  const outer = realpathSync(mkdtempSync(join(tmpdir(), "magis-tree-")));
  const folder = join(outer, "x", "y", "copy");
  mkdirSync(folder, { recursive: true });
  try {
    await writeTree(folder, { files: filesOf(files), links: linksOf(links), folders });
    return use(folder, outer);
  } finally {
    rmSync(outer, { recursive: true });
  }
}

/** Every path below a folder, links not followed. */
function below(folder: string): string[] {
  const found = readdirSync(folder, { withFileTypes: true }).flatMap((one) => {
    const deeper = one.isDirectory() ? below(join(folder, one.name)) : [];
    return [one.name, ...deeper.map((path) => join(one.name, path))];
  });
  return found.sort();
}

const outside = (outer: string) => below(outer).filter((path) => !path.startsWith(join("x", "y", "copy")));

describe("writeTree", () => {
  it("writes files, folders and links", async () => {
    const tree = {
      files: { "a/b.txt": "b", "run.sh": "#" },
      links: { "a/c": "b.txt", up: "a/../a", gone: "a/none" },
      folders: ["node_modules"],
    };
    await written(tree, (folder) => {
      expect(below(folder)).toEqual(["a", "a/b.txt", "a/c", "gone", "node_modules", "run.sh", "up"]);
      expect(readFileSync(join(folder, "up", "c"), "utf8")).toBe("b");
      expect(lstatSync(join(folder, "run.sh")).mode & 0o111).toBe(0o111);
    });
  });

  it.each<[string, Named, Named, readonly string[]]>([
    ["above, by itself", { l: "../a" }, {}, ["l"]],
    ["to a path from the root", { l: "/etc" }, {}, ["l"]],
    ["to the folder itself", { l: "." }, {}, ["l"]],
    ["above, through another link", { "p/q/r/s": "../../../a", t: "p/q/r/s/../../.." }, { "a/f": "" }, ["t"]],
    ["above, through a link that leads nowhere", { s: "d/e/f", t: "s/../../../../x" }, {}, ["t"]],
    ["above, through two others", { a: "d/b", "d/b": "../e", "e/up": "../..", z: "a/up/x" }, {}, ["e/up", "z"]],
    ["in a circle", { a: "b", b: "a" }, {}, ["a", "b"]],
    ["above, and back by name", { l: "../copy/a" }, { a: "" }, ["l"]],
  ])("leaves out a link that leads %s", async (_, links, files, left) => {
    await written({ links, files }, (folder) => {
      const there = Object.keys(links).filter((link) => lstatSync(join(folder, link), { throwIfNoEntry: false }));
      expect(there).toEqual(Object.keys(links).filter((link) => !left.includes(link)));
    });
  });

  it("writes nothing through a link of the same name as a folder", async () => {
    const tree = { files: { "l/f": "f" }, links: { l: "../..", m: "../..", "m/k": "x" }, folders: ["m/n"] };
    await written(tree, (folder, outer) => {
      expect(readFileSync(join(folder, "l", "f"), "utf8")).toBe("f");
      expect(lstatSync(join(folder, "m", "n")).isDirectory()).toBe(true);
      expect(outside(outer)).toEqual(["x", "x/y"]);
    });
  });

  it.each(["../f", "/f", "a/../../f", ".."])("refuses the file %j", async (path) => {
    await expect(written({ files: { [path]: "" } }, () => undefined)).rejects.toThrow("no path in the repository");
  });

  it("never writes outside its folder, whatever the tree holds", async () => {
    const name = fc.constantFrom("a", "b", "c", "d");
    const at = fc.array(name, { minLength: 1, maxLength: 4 }).map((parts) => parts.join("/"));
    const step = fc.constantFrom("a", "b", "c", "d", "..", "..", ".");
    const target = fc.array(step, { minLength: 1, maxLength: 6 }).map((parts) => parts.join("/"));
    const links = fc.dictionary(at, target, { maxKeys: 6 });
    const files = fc.dictionary(at, fc.constant("f"), { maxKeys: 4 });
    const folders = fc.array(at, { maxLength: 2 });
    await fc.assert(
      fc.asyncProperty(links, files, folders, async (links, files, folders) => {
        await written({ links, files, folders }, (folder, outer) => {
          expect(outside(outer)).toEqual(["x", "x/y"]);
          for (const path of below(folder).map((one) => join(folder, one)))
            if (existsSync(path)) expect(realpathSync.native(path).startsWith(`${folder}/`)).toBe(true);
        });
      }),
      { numRuns: 150 },
    );
  });
});
