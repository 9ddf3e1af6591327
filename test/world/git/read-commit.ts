import type { BareRepository } from "./bare-repository.ts";

export interface CommitPerson {
  name: string;
  email: string;
  /** ISO 8601, in UTC like GitHub's */
  date: string;
}

export interface Commit {
  tree: string;
  parents: string[];
  author: CommitPerson;
  committer: CommitPerson;
  /** as it was written, without the line break at the end */
  message: string;
  signature: string | undefined;
}

/** Reads a commit. Throws when there is none of that id. */
export async function readCommit(bare: BareRepository, id: string): Promise<Commit> {
  const object = await bare.read(`${id}^{commit}`);
  if (object === undefined) throw new Error(`There is no commit ${id}.`);
  const text = object.content.toString();
  const end = text.indexOf("\n\n");
  // A line that begins with a space goes on with the one above it.
  const headers = text
    .slice(0, end)
    .split(/\n(?! )/)
    .map((line) => ({ name: line.split(" ", 1)[0], value: line.slice(line.indexOf(" ") + 1).replaceAll("\n ", "\n") }));
  const all = (wanted: string) => headers.filter(({ name }) => name === wanted).map(({ value }) => value);
  const [[tree = ""], [author = ""], [committer = ""]] = [all("tree"), all("author"), all("committer")];
  return {
    tree,
    parents: all("parent"),
    author: personOf(author),
    committer: personOf(committer),
    message: text.slice(end + 2).trimEnd(),
    signature: all("gpgsig")[0]?.trimEnd(),
  };
}

/** Reads `NAME <EMAIL> SECONDS ZONE`. */
function personOf(stamp: string): CommitPerson {
  const [, name = "", email = "", seconds] = /^(.*?) ?<(.*)> (\d+) [-+]\d{4}$/.exec(stamp) ?? [];
  return { name, email, date: new Date(Number(seconds) * 1_000).toISOString().replace(".000Z", "Z") };
}
