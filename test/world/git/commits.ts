import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { accountOf } from "../account-of.ts";
import type { Actor, Fields, RepositoryState, WorldState } from "../state.ts";
import type { BareRepository } from "./bare-repository.ts";

interface CommitPerson {
  name: string;
  email: string;
  /** ISO 8601, in UTC like GitHub's */
  date: string;
}

interface Commit {
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

export interface Person {
  name: string;
  email: string;
  /** ISO 8601; now when absent. */
  date?: string | undefined;
}

interface NewCommit {
  tree: string;
  parents: string[];
  message: string;
  author?: Person | undefined;
}

const GITHUB: Person = { name: "GitHub", email: "noreply@github.com" };
/** A dummy signature: the world itself records which commits GitHub would have signed. */
const SEAL = "-----BEGIN PGP SIGNATURE-----\n\nc2lnbmVkIGJ5IHRoZSB0ZXN0IHdvcmxk\n-----END PGP SIGNATURE-----";

/**
 * Writes a commit like GitHub's API. GitHub signs a commit itself, and shows it as verified, when an app names no
 * author; it signs nobody else's.
 */
export async function writeCommit(
  state: WorldState,
  repo: RepositoryState,
  actor: Actor,
  commit: NewCommit,
): Promise<string> {
  const sealed = commit.author === undefined && actor.kind === "installation";
  const { id, login } = await accountOf(state, actor.login);
  const self: Person = { name: login, email: `${id}+${login}@users.noreply.github.com` };
  const author = commit.author ?? self;
  const committer = sealed ? GITHUB : author;
  const text = [
    `tree ${commit.tree}`,
    ...commit.parents.map((parent) => `parent ${parent}`),
    `author ${stamp(author)}`,
    `committer ${stamp(committer)}`,
    ...(sealed ? [`gpgsig ${SEAL.replaceAll("\n", "\n ")}`] : []),
    "",
    commit.message,
  ].join("\n");
  const sha = (await repo.bare.run(["hash-object", "-t", "commit", "-w", "--stdin"], { input: text }))
    .toString()
    .trim();
  if (sealed) repo.signed.add(sha);
  return sha;
}

function stamp({ name, email, date }: Person): string {
  const seconds = Math.floor((date === undefined ? Date.now() : Date.parse(date)) / 1000);
  return `${name} <${email}> ${seconds} +0000`;
}

export interface TreeEntry {
  path: string;
  /** Git's mode: 100644, 100755, 120000 or 160000. */
  mode: string;
  /** null removes the path. */
  sha: string | null;
}

/** Writes the tree `base` with `entries` added or removed; gives the tree's id. */
export async function writeTree(bare: BareRepository, base: string, entries: TreeEntry[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "magis-index-"));
  const env = { GIT_INDEX_FILE: join(folder, "index") };
  try {
    await bare.run(["read-tree", base], { env });
    const lines = entries.map(({ path, mode, sha }) =>
      sha === null ? `0 ${"0".repeat(40)}\t${path}\0` : `${mode} ${sha}\t${path}\0`,
    );
    await bare.run(["update-index", "-z", "--index-info"], { env, input: lines.join("") });
    return (await bare.run(["write-tree"], { env })).toString().trim();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A commit in the form of `GET commits/{ref}`, without its files. */
export async function renderCommit(state: WorldState, repo: RepositoryState, sha: string): Promise<Fields> {
  const { parents, ...commit } = await renderGitCommit(repo, sha);
  const author = await accountBehind(state, commit.author.email);
  return { sha, commit, author, committer: await accountBehind(state, commit.committer.email), parents };
}

/** The account that GitHub finds by a commit's e-mail address, or null. */
async function accountBehind(state: WorldState, email: string): Promise<Fields | null> {
  const login = /^(?:\d+\+)?(.+)@(?:users\.noreply\.github\.com|example\.test)$/.exec(email)?.[1];
  if (login === undefined) return null;
  return accountOf(state, login).catch(() => null);
}

/** A commit in the form of `GET git/commits/{sha}`. */
export async function renderGitCommit(repo: RepositoryState, sha: string) {
  const { tree, parents, author, committer, message, signature } = await readCommit(repo.bare, sha);
  const verified = repo.signed.has(sha);
  const unverified = signature === undefined ? "unsigned" : "unknown_key";
  return {
    sha,
    author,
    committer,
    tree: { sha: tree },
    message,
    parents: parents.map((parent) => ({ sha: parent })),
    verification: { verified, reason: verified ? "valid" : unverified, signature: signature ?? null },
  };
}
