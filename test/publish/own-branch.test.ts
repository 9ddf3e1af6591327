import { expect, it } from "@jest/globals";
import { isOwnBranch } from "../../src/publish/land-commit.ts";
import { createFakeHost } from "../fakes/create-fake-host.ts";

const BOT = "magis[bot]";

it.each<[string, readonly string[], boolean]>([
  ["no commit", [], false],
  ["the bot's commits", [BOT, BOT], true],
  ["a person's commit below the bot's", ["ana", BOT], false],
  ["a person's commit above the bot's", [BOT, "ana"], false],
  ["a merge that the bot made of a person's commit", [BOT, "merge"], false],
  ["more commits than a run makes", Array<string>(11).fill(BOT), false],
])("a branch with %s on its base is the bot's own or not", async (_what, authors, isOwn) => {
  const { host, state, base } = createFakeHost({ "a.txt": "a" });
  const { objects } = state;
  const { tree } = objects.commit(base.commit);
  const commit = (author: string, ...parents: readonly string[]) =>
    objects.addCommit({ tree, parents, message: author, author, verified: false }, `${parents}`);
  const tip = authors.reduce((below, author) => {
    return author === "merge" ? commit(BOT, below, commit("ana", base.commit)) : commit(author, below);
  }, base.commit);
  expect(await isOwnBranch(host, tip, base.commit)).toBe(isOwn);
  // The base may have moved on since; what has been merged into it is nobody's to take back.
  const moved = commit("cem", base.commit);
  expect(await isOwnBranch(host, tip, moved)).toBe(isOwn);
  expect(await isOwnBranch(host, tip, commit("cem", moved, tip))).toBe(false);
});
