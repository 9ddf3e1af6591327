import type { Fields, RepositoryState } from "../state.ts";
import { graphqlFailure } from "./graphql-failure.ts";

/** A commit, with the blame of its files as git has it. */
export async function commitNode(repo: RepositoryState, oid: string): Promise<Fields> {
  const facts = await repo.bare.fixed("show", "-s", "--format=%s%n%cI%n%P%n%an", oid);
  const [messageHeadline = "", committedDate = "", parents = "", name = ""] = facts.split("\n");
  return {
    __typename: "Commit",
    id: `C_${oid}`,
    oid,
    messageHeadline,
    committedDate,
    changedFilesIfAvailable: async () =>
      (await repo.bare.fixed("show", "--format=", "--name-only", oid)).split("\n").length,
    parents: { totalCount: parents.split(" ").filter(Boolean).length },
    author: { name, user: null },
    blame: ({ path }: { path: string }) => blameOf(repo, oid, path),
  };
}

async function blameOf(repo: RepositoryState, commit: string, path: string) {
  const text = await repo.bare.fixed("blame", "--line-porcelain", commit, "--", path).catch(() => {
    throw graphqlFailure("NOT_FOUND", `No such file: ${path}`);
  });
  const ranges: { startingLine: number; endingLine: number; age: number; oid: string }[] = [];
  for (const [, oid = "", line = ""] of text.matchAll(/^([0-9a-f]{40}) \d+ (\d+)(?: \d+)?$/gm)) {
    const [last, at] = [ranges.at(-1), Number(line)];
    if (last?.oid === oid) last.endingLine = at;
    else ranges.push({ startingLine: at, endingLine: at, age: 1, oid });
  }
  return { ranges: ranges.map(({ oid, ...range }) => ({ ...range, commit: () => commitNode(repo, oid) })) };
}
