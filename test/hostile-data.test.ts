import { describe, expect, it } from "@jest/globals";
import { z } from "zod";
import { findEditedTests } from "../src/change/edited-tests.ts";
import { parsePlan } from "../src/change/work-plan.ts";
import { diffLines, readPatch } from "../src/code/edits/diff.ts";
import { readSource } from "../src/code/tree-sitter/read-source.ts";
import { readRun } from "../src/data/read-record.ts";
import { readText } from "../src/models/conversation.ts";
import { countIdentifiers } from "../src/search/identifier-table.ts";
import { readDocument } from "../src/settings/repository/read-document.ts";
import { LARGEST_RECORD, parseJson } from "../src/text/bounded.ts";
import { sharedParser } from "./fakes/shared-parser.ts";

/** `count` texts in a row, each made from its number. */
const many = (count: number, text: (at: number) => string, between = "\n") =>
  Array.from({ length: count }, (_, at) => text(at)).join(between);

const deepList = (depth: number) => "[".repeat(depth) + "]".repeat(depth);

const deepMap = (depth: number) => `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`;

const keys = (count: number) => `{${many(count, (at) => `"k${at}":${at}`, ",")}}`;

/** The reason for refusing a text before it is parsed, or whatever parsing it gives. */
const faults = async (path: string, text: string): Promise<unknown> =>
  readSource({ verb: "faults", path, text }).catch((error: Error) => error.message);

let texts = 0;

/** A text that no parser has an answer for. */
const anew = (text: string) => `${text}// ${++texts}\n`;

const editedTests = (before: string, after: string, said = "") => {
  const [old, now] = [before, anew(after)].map((text) => new TextEncoder().encode(text));
  return findEditedTests([{ path: "a.test.js", before: old, after: now }], { words: [said] }, sharedParser);
};

const answer = (text: string) => readText(text, z.object({ a: z.string() }));

describe("an oversized text is refused before it is parsed, with the reason", () => {
  it.each<[string, () => unknown, RegExp]>([
    ["a deep answer", () => answer(deepMap(10_000)), /nests deeper than 500 levels/],
    ["a long answer", () => answer(`{"a":"${"x".repeat(9_000_000)}"}`), /longer than 8388608 characters/],
    ["an answer of many values", () => answer(`{"a":[${"0,".repeat(1_100_000)}0]}`), /more than 1000000 keys/],
    ["a long plan", () => parsePlan("run();".repeat(10_000), []), /longer than 50000 characters/],
    ["a deep plan", () => parsePlan("(".repeat(40_000), []), /nested too deep|does not parse/],
    ["deep JSON", () => faults("a.json", deepList(10_000)), /nests deeper than 500 levels/],
    ["JSON of many keys", () => faults("a.json", keys(600_000)), /more than 1000000 keys/],
    ["long TOML", () => faults("a.toml", "a = 1\n".repeat(800_000)), /longer than 4194304 characters/],
    ["deep TOML", () => faults("a.toml", `a = ${deepList(100_000)}`), /nested/],
    ["long YAML", () => faults("a.yml", "# a\n".repeat(300_000)), /longer than 1048576 characters/],
    ["deep YAML", () => faults("a.yml", deepList(10_000)), /nests deeper than 200 levels/],
    [
      "YAML of many keys",
      () =>
        faults(
          "a.yml",
          many(40_000, (at) => `k${at}: ${at}`),
        ),
      /more than 100000 keys/,
    ],
    ["YAML of many anchors", () => faults("a.yml", "&a ".repeat(40_000)), /more than 100 anchors and tags in a row/],
    ["YAML of many tags", () => faults("a.yml", "! ".repeat(40_000)), /more than 100 anchors and tags in a row/],
    ["YAML of many aliases", () => faults("a.yml", `- &a 1\n${"- *a\n".repeat(2_000)}`), /more than 1000 aliases/],
    ["long settings", () => readDocument("# a\n".repeat(20_000)), /larger than 64 KiB/],
    ["settings of many keys", () => readDocument(many(5_000, (at) => `k${at}: 1`)), /more than 4000 keys/],
    ["deep settings", () => readDocument(deepList(5_000)), /deeper than 20/],
    ["a deep record", () => parseJson(deepMap(10_000), LARGEST_RECORD), /nests deeper/],
  ])("%s", async (_what, read, reason) => {
    expect(JSON.stringify(await read())).toMatch(reason);
  });

  it("a diff that is too long gives no files", () => {
    expect(readPatch(`--- a\n+++ b\n@@ -1 +1 @@\n-${"x".repeat(17_000_000)}\n+b\n`)).toEqual([]);
  });
});

/** CPU time of this process for `work` in microseconds: the shortest of three, since other work may disturb one. */
async function timeOf(work: () => unknown): Promise<number> {
  const times: number[] = [];
  for (let time = 0; time < 3; time += 1) {
    const begin = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(begin);
    times.push(user + system);
  }
  return Math.min(...times);
}

/** Ignore shorter times, in microseconds: they do no harm, and measure mostly the compiler. */
const MEASURABLE = 20_000;

const FACTOR = 4;

/** Between a factor of four for linear time and of sixteen for quadratic time. */
const MOST = 10;

/** How much longer a text of four times the size takes. */
async function growth(read: (size: number) => unknown, most: number): Promise<number> {
  let size = Math.min(250, most / FACTOR);
  let time = await timeOf(() => read(size));
  while (time < MEASURABLE && size * FACTOR * 2 <= most) {
    size *= 2;
    time = await timeOf(() => read(size));
  }
  return (await timeOf(() => read(size * FACTOR))) / Math.max(time, MEASURABLE);
}

describe("an accepted text takes linear time", () => {
  it.each<[string, number, (size: number) => unknown]>([
    ["JSON of keys", 250_000, (size) => faults("a.json", keys(size))],
    ["JSON of quotes", 1_000_000, (size) => faults("a.json", '"\\'.repeat(size))],
    [
      "TOML of keys",
      100_000,
      (size) =>
        faults(
          "a.toml",
          many(size, (at) => `k${at} = ${at}`),
        ),
    ],
    [
      "TOML of tables",
      100_000,
      (size) =>
        faults(
          "a.toml",
          many(size, (at) => `[t${at}]\na = 1`),
        ),
    ],
    ["TOML of dotted keys", 100_000, (size) => faults("a.toml", `${"a.".repeat(size)}a = 1`)],
    [
      "YAML of keys",
      20_000,
      (size) =>
        faults(
          "a.yml",
          many(size, (at) => `k${at}: ${at}`),
        ),
    ],
    ["YAML of merged keys", 10_000, (size) => faults("a.yml", "<<: {a: 1}\n".repeat(size))],
    ["YAML of open brackets", 20_000, (size) => faults("a.yml", "- [\n".repeat(size))],
    [
      "YAML of anchored values",
      20_000,
      (size) =>
        faults(
          "a.yml",
          many(size, (at) => `- &a${at} !t v`),
        ),
    ],
    ["YAML of documents", 20_000, (size) => faults("a.yml", "--- a\n".repeat(size))],
    ["hunks", 40_000, (size) => diffLines(many(size, (at) => `@@ -${at + 1} +${at + 1} @@\n-a\n+b`))],
    ["one hunk", 100_000, (size) => diffLines(`@@ -1,${size} +1,${size} @@\n${"-a\n+b\n".repeat(size)}`)],
    ["files of a diff", 40_000, (size) => readPatch(many(size, (at) => `--- a${at}\n+++ a${at}\n@@ -1 +1 @@\n-a\n+b`))],
    ["diff headers without hunks", 100_000, (size) => readPatch("diff --git a/a b/b\n".repeat(size))],
    ["values of a wrong answer", 200_000, (size) => answer(`{"a":[${"0,".repeat(size)}0]}`)],
    ["keys of a wrong answer", 200_000, (size) => answer(keys(size))],
    ["a record's keys", 200_000, (size) => readRun(JSON.parse(keys(size)))],
    ["calls of a plan", 8_000, (size) => parsePlan("run();".repeat(size), [])],
    [
      "lines of an edited test",
      20_000,
      (size) =>
        editedTests(
          many(size, (at) => `a${at}`),
          many(size, (at) => `b${at}`),
        ),
    ],
    ["tests of an edited file", 8_000, (size) => editedTests("", 'it("a", () => {});\n'.repeat(size))],
    ["quotes in a maintainer's words", 60_000, (size) => editedTests("a", "b", "“\"`'".repeat(size))],
    ["comments that nothing closes", 80_000, (size) => countIdentifiers(`${"/*\n".repeat(size)}def one end\n`)],
    ["declarations in one line", 80_000, (size) => countIdentifiers(`\n${many(size, (at) => `def f${at}`, " ")}`)],
    ["dots in a maintainer's words", 60_000, (size) => editedTests("a", "b", `${"./".repeat(size)}a`)],
  ])("%s", async (_what, most, read) => {
    let least = Number.POSITIVE_INFINITY;
    for (let attempt = 0; attempt < 3 && least > MOST; attempt += 1) least = Math.min(least, await growth(read, most));
    expect(least).toBeLessThanOrEqual(MOST);
  });
});
