import { execFileSync } from "node:child_process";
import { chmod, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { scriptFor } from "./script-for.ts";
import { type Scene, startScene } from "./start-scene.ts";

const BOM = "\uFEFF";
const FILES = {
  "windows.txt": "eins\r\nzwei\r\n\tdrei\r\nvier",
  "bom.txt": `${BOM}größe\nÄnderung\n日本語 🎉 e\u0301\nlast`,
  "run.sh": "#!/bin/sh\necho helo\n",
  "kept.txt": "kept\n",
  "old.txt": "old\n",
};

describe("a published change", () => {
  let scene: Scene;
  let source: string;

  beforeAll(async () => {
    source = await mkdtemp(join(tmpdir(), "magis-source-"));
    const git = (...args: string[]) => execFileSync("git", ["-C", source, ...args]);
    git("init", "--quiet", "--initial-branch", "main");
    await Promise.all(Object.entries(FILES).map(([path, text]) => writeFile(join(source, path), text)));
    await chmod(join(source, "run.sh"), 0o755);
    git("add", "--all");
    const author = ["-c", "user.name=Alice", "-c", "user.email=alice@example.test", "-c", "commit.gpgsign=false"];
    git(...author, "commit", "--quiet", "--message", "Begin");
    scene = await startScene({
      repository: { from: source },
      script: scriptFor({
        files: {
          "windows.txt": {
            rounds: [
              {
                edits: [
                  { start: 2, end: 2, text: "ZWEI\nzwei und halb" },
                  { start: 4, end: 4, text: "VIER" },
                ],
              },
            ],
          },
          "bom.txt": { rounds: [{ edits: [{ start: 2, end: 2, text: "Änderung ✓" }] }] },
          "run.sh": { rounds: [{ edits: [{ start: 2, end: 2, text: "echo hello" }] }] },
          "kept.txt": { newFiles: ["docs/new.txt"] },
          "docs/new.txt": { rounds: [{ content: "new\nfile" }] },
          "old.txt": { action: "delete", rounds: [{}] },
        },
      }),
    });
  });
  afterAll(async () => {
    await scene.close();
    await rm(source, { recursive: true, force: true });
  });

  /** Opens an issue; gives what its pull request changes, by path, and a folder with its files. */
  async function resolved(title: string) {
    const { pull } = await scene.ended(await scene.ask(title));
    const changes = await scene.world.git("diff-tree", "-r", "--name-status", "main", pull?.head.sha ?? "");
    return { changes, folder: await scene.world.checkout(pull?.head.sha ?? ""), number: pull?.number ?? 0 };
  }

  it("keeps CRLF, tabs and a missing final newline", async () => {
    const { changes, folder } = await resolved("windows.txt is too quiet");
    expect(changes).toBe("M\twindows.txt");
    const text = await readFile(join(folder, "windows.txt"), "utf8");
    expect(text).toBe("eins\r\nZWEI\r\nzwei und halb\r\n\tdrei\r\nVIER");
  });

  it("keeps a byte order mark and every character outside the change", async () => {
    const { changes, folder } = await resolved("bom.txt lacks a tick");
    expect(changes).toBe("M\tbom.txt");
    const bytes = await readFile(join(folder, "bom.txt"));
    expect(bytes).toEqual(Buffer.from(FILES["bom.txt"].replace("Änderung", "Änderung ✓")));
  });

  it("keeps the executable bit", async () => {
    const { changes, folder } = await resolved("run.sh says helo");
    expect(changes).toBe("M\trun.sh");
    expect((await stat(join(folder, "run.sh"))).mode & 0o111).toBe(0o111);
    expect(await readFile(join(folder, "run.sh"), "utf8")).toBe("#!/bin/sh\necho hello\n");
  });

  it("creates a new file and removes a deleted one", async () => {
    const { changes, folder, number } = await resolved("Write docs/new.txt like kept.txt, and remove old.txt");
    expect(changes).toBe("A\tdocs/new.txt\nD\told.txt");
    expect(await readFile(join(folder, "docs/new.txt"), "utf8")).toBe("new\nfile\n");
    const [pull] = (await scene.world.pullRequests()).filter((one) => one.number === number);
    expect(pull?.body).toContain("- `docs/new.txt` (new): ");
    expect(pull?.body).toContain("- `old.txt` (deleted): ");
  });
});
