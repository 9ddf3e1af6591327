import { describe, expect, it } from "@jest/globals";
import { unzip } from "../../src/github/unzip.ts";
import { zipOf } from "../fakes/zip-of.ts";

const LIMITS = { entries: 10, file: 1_000, total: 1_500 };
const all = () => true;
const textsOf = async (archive: Uint8Array, wanted: (name: string) => boolean = all) =>
  (await unzip(archive, wanted, LIMITS))?.map(({ name, content }) => [name, Buffer.from(content).toString()]);

describe("an untrusted archive", () => {
  it("is unpacked in memory, wanted files only", async () => {
    const archive = zipOf({ "a/junit.xml": "<testsuites/>", "b.txt": "b" });
    expect(await textsOf(archive)).toEqual([
      ["a/junit.xml", "<testsuites/>"],
      ["b.txt", "b"],
    ]);
    expect(await textsOf(archive, (name) => name.endsWith(".xml"))).toEqual([["a/junit.xml", "<testsuites/>"]]);
    expect(await textsOf(zipOf({}))).toEqual([]);
  });

  it.each<[string, Uint8Array]>([
    ["one file is longer than allowed", zipOf({ "a.xml": "x".repeat(1_001) })],
    ["all its files together are", zipOf({ "a.xml": "x".repeat(900), "b.xml": "x".repeat(900) })],
    ["it declares less than it holds", zipOf({ "a.xml": "x".repeat(900) }, { saysSize: 10 })],
    ["it is a bomb that declares a small size", zipOf({ "a.xml": "x".repeat(5_000_000) }, { saysSize: 10 })],
    ["it declares more than it holds", zipOf({ "a.xml": "x" }, { saysSize: 900 })],
    ["it has too many entries", zipOf(Object.fromEntries(Array.from({ length: 11 }, (_, at) => [`${at}.xml`, ""])))],
    ["it is encrypted", zipOf({ "a.xml": "x" }, { encrypted: true })],
    ["a name leads out of it", zipOf({ "../a.xml": "x" })],
    ["a name is an absolute path", zipOf({ "/a.xml": "x" })],
    ["a name has a drive", zipOf({ "C:\\a.xml": "x" })],
    ["a name leads out of it by backslashes", zipOf({ "b\\..\\..\\a.xml": "x" })],
    ["it is cut off", zipOf({ "a.xml": "x" }).subarray(0, 30)],
    ["it is empty", new Uint8Array()],
    ["it is something else", Buffer.from("<html>not found</html>".repeat(10))],
    ["its data is corrupt", Buffer.from(zipOf({ "a.xml": "xyz".repeat(50) })).fill(0xff, 36, 45)],
  ])("is refused when %s", async (_what, archive) => {
    expect(await unzip(archive, all, LIMITS)).toBeUndefined();
  });

  it("never throws when any byte is changed", async () => {
    const archive = zipOf({ "a.xml": "hello", "b.xml": "world" });
    for (let at = 0; at < archive.length; at++) {
      for (const value of [0, 0x7f, 0xff]) {
        const broken = Uint8Array.from(archive);
        broken[at] = value;
        const files = await unzip(broken, all, LIMITS);
        expect((files ?? []).every(({ content }) => content.length <= LIMITS.file)).toBe(true);
      }
    }
  });
});
