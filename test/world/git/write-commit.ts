import { accountOf } from "../account-of.ts";
import type { Actor, RepositoryState, WorldState } from "../state.ts";

export interface Person {
  name: string;
  email: string;
  /** ISO 8601; now when absent. */
  date?: string | undefined;
}

export interface NewCommit {
  tree: string;
  parents: string[];
  message: string;
  author?: Person | undefined;
  committer?: Person | undefined;
  signature?: string | undefined;
}

const GITHUB: Person = { name: "GitHub", email: "noreply@github.com" };
/** A dummy signature: the world itself records which commits GitHub would have signed. */
const SEAL = "-----BEGIN PGP SIGNATURE-----\n\nc2lnbmVkIGJ5IHRoZSB0ZXN0IHdvcmxk\n-----END PGP SIGNATURE-----";

/**
 * Writes a commit like GitHub's API. GitHub signs a commit itself, and shows it as verified, when an app names no
 * author, committer or signature; it signs nobody else's.
 */
export async function writeCommit(
  state: WorldState,
  repo: RepositoryState,
  actor: Actor,
  commit: NewCommit,
): Promise<string> {
  const named = commit.author ?? commit.committer ?? commit.signature;
  const sealed = named === undefined && actor.kind === "installation";
  const { id, login } = await accountOf(state, actor.login);
  const self: Person = { name: login, email: `${id}+${login}@users.noreply.github.com` };
  const author = commit.author ?? self;
  const committer = commit.committer ?? (sealed ? GITHUB : author);
  const signature = sealed ? SEAL : commit.signature;
  const text = [
    `tree ${commit.tree}`,
    ...commit.parents.map((parent) => `parent ${parent}`),
    `author ${stamp(author)}`,
    `committer ${stamp(committer)}`,
    ...(signature === undefined ? [] : [`gpgsig ${signature.trimEnd().replaceAll("\n", "\n ")}`]),
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
