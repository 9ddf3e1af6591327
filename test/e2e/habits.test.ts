import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { createGitRepo, type GitRepo } from "../git/git-repo.ts";
import { createScript } from "../scripted-model/script.ts";
import { type Scene, startScene } from "./start-scene.ts";

const GREET = "export function greet(name) {\n  const words = ['Good', 'day'];\n  return words.join(' ') + name;\n}\n";

/** Each of the last changes brought a note with a number. The last one brought the fault. */
function history(repo: GitRepo): void {
  const now = Math.floor(Date.now() / 1000);
  const changes = Array.from({ length: 12 }, (_, at) => {
    const message = `Say more (#${50 + at})`;
    const source = at === 11 ? GREET : `export function greet(name) {\n  return ${at};\n}\n`;
    const note = `Version ${at} greets.\n`;
    const head = `commit refs/heads/main\nmark :${at + 1}\ncommitter Ana <ana@example.com> ${now - 3600 * (12 - at)} +0000\n`;
    const file = (path: string, text: string) => `M 100644 inline ${path}\ndata ${text.length}\n${text}\n`;
    const from = at === 0 ? "" : `from :${at}\n`;
    const files = file("src/greet.js", source) + file(`news/${50 + at}.bugfix.md`, note);
    return `${head}data ${message.length}\n${message}\n${from}${files}`;
  });
  repo.git(["fast-import", "--quiet"], changes.join(""));
}

describe("the habits of a repository", () => {
  let scene: Scene;
  let repo: GitRepo;
  const seen: string[] = [];

  beforeAll(async () => {
    repo = createGitRepo();
    history(repo);
    repo.git(["config", "uploadpack.allowFilter", "true"]);
    scene = await startScene({
      repository: { from: repo.dir },
      script: createScript({
        files: {
          "src/greet.js": {
            rounds: [{ edits: [{ start: 3, end: 3, text: "  return [...words, name].join(' ');" }] }],
            newFiles: ["news/62.bugfix.md"],
          },
          "news/62.bugfix.md": { rounds: [{ content: "Greetings have a blank before the name.\n" }] },
        },
        answers: {
          "p09-change-file": ({ text }) => {
            if (text.includes("# The file `news/62.bugfix.md`")) seen.push(text);
            return undefined;
          },
        },
      }),
    });
  });
  afterAll(async () => {
    await scene.close();
    repo.remove();
  });

  it("are kept: the change comes with a note, whose Developer sees the newest two", async () => {
    const { world } = scene;
    const issue = await scene.ask("No blank in src/greet.js", "It says `Good dayAna`.");
    const { pull } = await scene.ended(issue);
    const head = pull?.head.sha ?? "";
    expect(await world.git("diff", "--name-only", "main", head)).toBe("news/62.bugfix.md\nsrc/greet.js");
    expect(await world.git("show", `${head}:news/62.bugfix.md`)).toBe("Greetings have a blank before the name.");
    expect(seen[0]).toMatch(/Version 11 greets\.[\s\S]*Version 10 greets\./);
  });
});
