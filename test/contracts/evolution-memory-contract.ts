import { expect, it } from "@jest/globals";
import type { RepositoryId } from "../../src/data/run-request.ts";
import type { EvolutionMemory } from "../../src/run/evolution-memory.ts";

/** The contract of every EvolutionMemory. `open` gives one that keeps at most `maxVersions` a repository. */
export function evolutionMemoryContract(open: (maxVersions: number) => EvolutionMemory): void {
  const repository = (name: string, installationId = 1): RepositoryId => ({ owner: "o", name, installationId });
  const version = (path: string, blob: string, summary = `${path} at ${blob}`) => ({ path, blob, summary });

  it("recalls the same content first, at any path, then the path's latest version", async () => {
    const memory = open(100);
    const here = repository("recall");
    expect(await memory.recall(here, "a", "1")).toBeUndefined();
    await memory.update(here, version("a", "1"));
    await memory.update(here, version("a", "2"));
    await memory.update(here, version("b", "3"));
    expect(await memory.recall(here, "a", "1")).toEqual(version("a", "1"));
    expect(await memory.recall(here, "a", "9")).toEqual(version("a", "2"));
    expect(await memory.recall(here, "moved", "3")).toEqual(version("b", "3"));
    expect(await memory.recall(here, "a", "3")).toEqual(version("b", "3"));
    await memory.update(here, version("a", "1", "seen again"));
    expect(await memory.recall(here, "a", "9")).toEqual(version("a", "1", "seen again"));
    await memory.update(here, version("copy", "1"));
    expect(await memory.recall(here, "a", "1")).toEqual(version("a", "1", "seen again"));
    expect(await memory.recall(here, "none", "9")).toBeUndefined();
  });

  it("shares nothing between installations and repositories, and forgets one at a time", async () => {
    const memory = open(100);
    const mine = repository("mine", 1);
    const theirs = repository("mine", 2);
    const other = repository("other", 1);
    for (const one of [mine, theirs, other]) await memory.update(one, version("a", "1", JSON.stringify(one)));
    expect((await memory.recall(theirs, "a", "1"))?.summary).toBe(JSON.stringify(theirs));
    await memory.forget(mine);
    expect(await memory.recall(mine, "a", "1")).toBeUndefined();
    expect((await memory.recall(theirs, "a", "1"))?.summary).toBe(JSON.stringify(theirs));
    expect((await memory.recall(other, "a", "1"))?.summary).toBe(JSON.stringify(other));
    expect((await memory.recall({ ...other, owner: "O", name: "Other" }, "a", "1"))?.path).toBe("a");
  });

  it("forgets a repository of all installations by its name, in any case, and counts the versions", async () => {
    const memory = open(100);
    const [mine, theirs, other] = [repository("gone", 11), repository("gone", 12), repository("stays", 11)];
    for (const one of [mine, theirs, other]) await memory.update(one, version("a", "1"));
    await memory.update(mine, version("b", "2"));
    expect(await memory.forget({ owner: "O", name: "Gone" })).toBe(3);
    expect(await memory.forget({ owner: "o", name: "gone" })).toBe(0);
    expect(await memory.recall(mine, "a", "1")).toBeUndefined();
    expect(await memory.recall(theirs, "a", "1")).toBeUndefined();
    expect(await memory.recall(other, "a", "1")).toEqual(version("a", "1"));
  });

  it("forgets a whole installation, and no other", async () => {
    const memory = open(100);
    const ours = [repository("one", 21), repository("two", 21)];
    const theirs = repository("one", 22);
    for (const one of [...ours, theirs]) await memory.update(one, version("a", "1"));
    expect(await memory.forget({ installationId: 21 })).toBe(2);
    for (const one of ours) expect(await memory.recall(one, "a", "1")).toBeUndefined();
    expect(await memory.recall(theirs, "a", "1")).toEqual(version("a", "1"));
  });

  it("is bounded, and drops the least recently used first", async () => {
    const memory = open(3);
    const here = repository("bounded");
    for (const name of ["a", "b", "c"]) await memory.update(here, version(name, name));
    await memory.recall(here, "a", "a");
    await memory.update(here, version("d", "d"));
    await memory.update(here, version("e", "e"));
    const left = await Promise.all(["a", "b", "c", "d", "e"].map((name) => memory.recall(here, name, name)));
    expect(left.map((found) => found?.path)).toEqual(["a", undefined, undefined, "d", "e"]);
  });
}
