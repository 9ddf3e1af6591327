import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { afterAll, describe, expect, it } from "@jest/globals";
import { findProgram, programOf, searchPathOf, trustedSearchPath } from "../../src/git/programs.ts";

const top = realpathSync(mkdtempSync(join(tmpdir(), "magis-programs-")));
afterAll(() => rmSync(top, { recursive: true }));

const place = (...parts: string[]) => {
  const folder = join(top, ...parts);
  mkdirSync(folder, { recursive: true });
  return folder;
};

const checkout = place("checkout");
place("checkout", ".git");
const here = place("checkout", "packages", "a");
const outside = place("programs");
symlinkSync(place("checkout", "bin"), join(top, "disguised"));

describe("a search path", () => {
  it.each([
    ["a relative folder", "bin"],
    ["the working directory", "."],
    ["an empty entry, which is the working directory", ""],
    ["the folder above", ".."],
    ["the working directory by its name", here],
    ["a folder of the checkout above", join(checkout, "bin")],
    ["the checkout itself", checkout],
    ["a folder of the checkout, by a detour", join(outside, "..", "checkout", "bin")],
    ["a link to a folder of the checkout", join(top, "disguised")],
    ["what npm puts in front", join(top, "node_modules", ".bin")],
  ])("does not lead to %s", (_, entry) => {
    const search = [entry, outside, entry].join(delimiter);
    expect(trustedSearchPath(search, here)).toBe(outside);
  });

  it("leads to a person's own programs when they work in their home directory", () => {
    const home = homedir();
    expect(trustedSearchPath([join(home, "bin"), "."].join(delimiter), home)).toBe(join(home, "bin"));
  });

  it("is read whatever the case of its name", () => {
    expect([searchPathOf({ Path: "/a" }), searchPathOf({ PATH: "/b" }), searchPathOf({})]).toEqual(["/a", "/b", ""]);
  });
});

describe("a program", () => {
  const script = (folder: string, name: string, mode = 0o755) => {
    writeFileSync(join(folder, name), "#!/bin/sh\n");
    chmodSync(join(folder, name), mode);
    return join(folder, name);
  };

  it("is the first executable one", () => {
    script(place("one"), "tool", 0o644);
    place("two", "tool");
    const found = script(place("three"), "tool");
    expect(
      findProgram(
        "tool",
        ["one", "two", "three"].map((name) => join(top, name)),
      ),
    ).toBe(found);
    expect(findProgram("none", [join(top, "three")])).toBeUndefined();
  });

  it("is not taken from the working directory; without another, its path leads nowhere", () => {
    const before = process.cwd();
    script(here, "tool");
    process.chdir(here);
    try {
      const found = programOf("tool", { PATH: ["", ".", here].join(delimiter) });
      expect(dirname(found)).not.toBe(here);
      expect(findProgram("tool", [dirname(found)])).toBeUndefined();
    } finally {
      process.chdir(before);
    }
  });
});
