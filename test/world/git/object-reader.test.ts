import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { type BareRepository, bareRepository } from "./bare-repository.ts";
import { readCommit } from "./read-commit.ts";
import { runGit } from "./run-git.ts";

let folder: string;
let bare: BareRepository;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "magis-objects-"));
  await runGit(["init", "--quiet", "--bare", "--initial-branch=main", folder]);
  bare = bareRepository(folder);
});
afterAll(async () => {
  await bare.close();
  await rm(folder, { recursive: true, force: true });
});

const write = async (input: string | Buffer, type = "blob") =>
  (await bare.run(["hash-object", "-w", "--stdin", "--literally", "-t", type], { input })).toString().trim();

const treeOf = async (path: string, blob: string) =>
  (await bare.run(["mktree"], { input: `100644 blob ${blob}\t${path}\n` })).toString().trim();

const WHO = "A Developer <developer@example.test> 1700000000 +0000";

const commitOf = (tree: string, more = "", message = "Say hello\n") =>
  write(`tree ${tree}\n${more}author ${WHO}\ncommitter ${WHO}\n\n${message}`, "commit");

describe("reading git objects", () => {
  it("gives each question its own answer, in any number at once, and sees what was written later", async () => {
    const contents = [Buffer.alloc(300_000, "large\n"), Buffer.of(0, 10, 255), Buffer.alloc(0), Buffer.from("last")];
    const ids = await Promise.all(contents.map((content) => write(content)));
    const asked = [...ids, "0".repeat(40), ...ids];
    const found = await Promise.all(asked.map((id) => bare.read(id)));
    expect(found.map((object) => object?.content)).toEqual([...contents, undefined, ...contents]);
    expect(found[0]).toMatchObject({ id: ids[0], type: "blob" });
    const later = await write("later");
    expect((await bare.read(later))?.content.toString()).toBe("later");
  });

  it("resolves what a revision names, and nothing of what is not there", async () => {
    const blob = await write("hello\n");
    const tree = await treeOf("a file.txt", blob);
    const first = await commitOf(tree);
    const second = await commitOf(tree, `parent ${first}\n`);
    await bare.git("update-ref", "refs/heads/main", second);
    const names = [`${second}^{tree}`, `${second}^1`, "main:a file.txt", "refs/heads/main", `${second}:`];
    expect(await Promise.all(names.map((name) => bare.resolve(name)))).toEqual([tree, first, blob, second, tree]);
    const absent = [`${first}^1`, `${first}:no file missing`, `${blob}^{commit}`, "--help", "", "refs/heads/none"];
    const odd = [
      "main:two\nlines",
      "main:../x",
      "main:./a file.txt",
      "main:..",
      "main@{upstream}",
      "main:a file.txt\r",
      "main\0x",
    ];
    for (const name of [...absent, ...odd]) expect([name, await bare.resolve(name)]).toEqual([name, undefined]);
    expect(await bare.resolve(`${first}^{commit}`)).toBe(first);
  });

  it("goes on after git has ended", async () => {
    const id = await write("kept");
    await bare.read(id);
    await bare.close();
    expect((await bare.read(id))?.content.toString()).toBe("kept");
  });
});

const SIGNATURE = "-----BEGIN PGP SIGNATURE-----\n\nabc\n-----END PGP SIGNATURE-----";

describe("readCommit", () => {
  it.each([
    ["plain", "", "Say hello\n"],
    ["with a body", "", "Say hello\n\nBecause: so.\n\nauthor nobody\n"],
    ["without a message", "", ""],
    ["signed", `gpgsig ${SIGNATURE.replaceAll("\n", "\n ")}\n`, "Sign it\n"],
  ])("reads one that is %s like git", async (_kind, more, message) => {
    const tree = await treeOf("a.txt", await write("a"));
    const parent = await commitOf(tree, "", `Parent of: ${message}`);
    const author = "Zoë O'Neil <> 1600000000 +0530";
    const text = `tree ${tree}\nparent ${parent}\nauthor ${author}\ncommitter ${WHO}\n${more}\n${message}`;
    const id = await write(text, "commit");
    const format = "%T%n%P%n%an%n%ae%n%at%n%cn%n%ce%n%ct%n%B";
    const [ofTree, ofParent, name, email, at, by, byEmail, when, ...said] = (
      await bare.git("show", "-s", `--format=${format}`, id)
    ).split("\n");
    const date = (seconds = "") => new Date(Number(seconds) * 1_000).toISOString().replace(".000", "");
    expect(await readCommit(bare, id)).toEqual({
      tree: ofTree,
      parents: [ofParent],
      author: { name, email, date: date(at) },
      committer: { name: by, email: byEmail, date: date(when) },
      message: said.join("\n").trimEnd(),
      signature: more === "" ? undefined : SIGNATURE,
    });
  });
});
