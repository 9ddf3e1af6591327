import { createHash } from "node:crypto";
import { deflateSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { ObjectStore } from "../../src/git/object-store.ts";
import { PackReader } from "../../src/git/pack-reader.ts";
import { anyCharacter } from "../fakes/any-character.ts";
import { fc } from "../seeded.ts";
import { createGitRepo, type GitRepo } from "./git-repo.ts";

/** Reads a pack in pieces of the given sizes, over and over. */
function read(pack: Buffer, sizes: readonly number[]): ObjectStore {
  const store = new ObjectStore(2 ** 30);
  const reader = new PackReader(store);
  for (let at = 0, i = 0; at < pack.length; i++) {
    const size = sizes[i % sizes.length] ?? pack.length;
    reader.write(pack.subarray(at, at + size));
    at += size;
  }
  reader.end();
  return store;
}

/** A pack of these objects as they are: each a kind, the header's extra bytes and the content. */
function makePack(objects: readonly { kind: number; extra?: Buffer; content: Buffer }[]): Buffer {
  const parts: Buffer[] = [Buffer.from("PACK\0\0\0\x02\0\0\0"), Buffer.from([objects.length])];
  for (const { kind, extra, content } of objects) {
    if (content.length > 15) parts.push(Buffer.from([0x80 | (kind << 4) | (content.length & 15), content.length >> 4]));
    else parts.push(Buffer.from([(kind << 4) | content.length]));
    parts.push(extra ?? Buffer.alloc(0), deflateSync(content));
  }
  const body = Buffer.concat(parts);
  return Buffer.concat([body, createHash("sha1").update(body).digest()]);
}

/** The id git gives a blob. */
function idOf(blob: Buffer): Buffer {
  return createHash("sha1").update(`blob ${blob.length}\0`).update(blob).digest();
}

const line = fc.string({ unit: anyCharacter, maxLength: 60 });
const text = fc.array(line, { maxLength: 60 }).map((lines) => lines.join("\n"));
const binary = fc.uint8Array({ maxLength: 3_000 }).map((bytes) => Buffer.from(bytes));
/** A content and edited copies of it: git makes deltas of these. */
const family = fc
  .tuple(text, fc.array(fc.tuple(fc.nat(4_000), line), { maxLength: 4 }))
  .map(([first, edits]) => [first, ...edits.map(([at, insert]) => `${first.slice(0, at)}${insert}${first.slice(at)}`)]);
const contents = fc.tuple(fc.array(family, { maxLength: 4 }), fc.array(binary, { maxLength: 4 })).map((c) => c.flat(2));
const pieces = fc.array(fc.integer({ min: 1, max: 5_000 }), { minLength: 1, maxLength: 5 });

describe("the pack reader", () => {
  let repo: GitRepo;
  beforeAll(() => {
    repo = createGitRepo();
  });
  afterAll(() => repo.remove());

  const written = (all: readonly (Buffer | string)[]): Map<string, Buffer> => {
    const blobs = all.map((content) => Buffer.from(content));
    const stream = blobs.map((blob) => [Buffer.from(`blob\ndata ${blob.length}\n`), blob, Buffer.from("\n")]);
    repo.git(["fast-import", "--quiet"], Buffer.concat(stream.flat()));
    return new Map(blobs.map((blob) => [idOf(blob).toString("hex"), blob]));
  };
  const packOf = (ids: Iterable<string>, options: readonly string[]): Buffer =>
    repo.git(
      ["pack-objects", "--stdout", "-q", "--no-reuse-delta", ...options],
      [...ids].map((id) => `${id}\n`).join(""),
    );

  it.each([
    ["offset deltas", ["--delta-base-offset"]],
    ["deltas by id", []],
  ])("reads what git packed: %s", (_, options) => {
    fc.assert(
      fc.property(contents, pieces, (all, sizes) => {
        const objects = written(all);
        const store = read(packOf(objects.keys(), options), sizes);
        expect([...store.ids()].sort()).toEqual([...objects.keys()].sort());
        for (const [id, content] of objects) {
          const object = store.get(id);
          expect(object && store.content(object).equals(content)).toBe(true);
        }
      }),
      { numRuns: 12 },
    );
  });

  it("reads large objects and long delta chains, in small pieces", () => {
    const base = Buffer.from(Array.from({ length: 60_000 }, (_, i) => `line ${i * 7919} of a large file\n`).join(""));
    const all = Array.from({ length: 12 }, (_, i) =>
      Buffer.concat([base.subarray(i * 1_000), Buffer.from(`end ${i}`)]),
    );
    const objects = written(all);
    const pack = packOf(objects.keys(), ["--delta-base-offset", "--depth=50"]);
    const store = read(pack, [4_096]);
    for (const [id, content] of objects) {
      const object = store.get(id);
      expect(object && store.content(object).equals(content)).toBe(true);
    }
  });

  it("refuses every pack with one byte wrong or missing", () => {
    const objects = written(["some text\n".repeat(50), `${"some text\n".repeat(50)}more`, "", "x"]);
    const pack = packOf(objects.keys(), ["--delta-base-offset"]);
    for (let at = 0; at < pack.length; at++) {
      const damaged = Buffer.from(pack);
      damaged[at] = (damaged[at] ?? 0) ^ 0x10;
      expect(() => read(damaged, [37])).toThrow(/is damaged|larger than the limit/);
      expect(() => read(pack.subarray(0, at), [37])).toThrow(/is damaged/);
    }
    expect(() => read(Buffer.concat([pack, Buffer.from("x")]), [pack.length])).toThrow(/is damaged/);
  });

  it("counts objects against the limit, including empty and merely announced ones", () => {
    const announced = Buffer.from("PACK\0\0\0\x02\x7f\xff\xff\xff", "latin1");
    const saying = expect.objectContaining({ code: "GIT_PACK_TOO_LARGE" });
    const write = (pack: Buffer, most: number) => () => new PackReader(new ObjectStore(most)).write(pack);
    expect(write(announced, 2 ** 30)).toThrow(saying);
    const empty = makePack(Array.from({ length: 100 }, () => ({ kind: 3, content: Buffer.alloc(0) })));
    expect(write(empty, 20_000)).toThrow(saying);
    expect(write(empty, 100_000)).not.toThrow();
  });

  it("waits for bases that come after their deltas, and refuses when they are missing", () => {
    const content = Buffer.from("the base");
    const id = idOf(content);
    const second = idOf(Buffer.from("base"));
    const copyLast4 = Buffer.from([8, 4, 0x91, 4, 4]);
    const insert = Buffer.from([4, 6, 0x90, 4, 2, 0x21, 0x21]);
    const deltas = [
      { kind: 7, extra: second, content: insert },
      { kind: 7, extra: id, content: copyLast4 },
    ];
    const store = read(makePack([...deltas, { kind: 3, content }]), [5]);
    const texts = [...store.ids()].map((one) => {
      const object = store.get(one);
      return object ? store.content(object).toString() : "";
    });
    expect(texts).toEqual(["the base", "base", "base!!"]);
    expect(() => read(makePack(deltas), [5])).toThrow(/bases of 2 deltas are missing/);
  });

  it.each([
    ["copies from outside its base", Buffer.from([8, 4, 0x91, 6, 4])],
    ["is shorter than it announces", Buffer.from([8, 4, 0x91, 4, 3])],
    ["is longer than it announces", Buffer.from([8, 1, 2, 0x21, 0x21])],
    ["has an unknown instruction", Buffer.from([8, 4, 0, 4])],
    ["does not fit its base", Buffer.from([9, 4, 0x91, 4, 4])],
  ])("refuses a delta that %s", (problem, delta) => {
    const id = idOf(Buffer.from("the base"));
    const pack = makePack([
      { kind: 3, content: Buffer.from("the base") },
      { kind: 7, extra: id, content: delta },
    ]);
    expect(() => read(pack, [1_000])).toThrow(problem);
  });
});
