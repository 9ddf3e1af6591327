import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { createGitRepo, type GitRepo } from "../adapters/git/git-repo.ts";
import { scriptFor } from "./script-for.ts";
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

  beforeAll(async () => {
    repo = createGitRepo();
    history(repo);
    repo.git(["config", "uploadpack.allowFilter", "true"]);
    scene = await startScene({
      repository: { from: repo.dir },
      script: scriptFor({
        files: {
          "src/greet.js": {
            rounds: [{ edits: [{ start: 3, end: 3, text: "  return [...words, name].join(' ');" }] }],
          },
        },
        answers: {
          "n01-write-note": ({ text }) => ({
            json: text.includes("Version 11 greets.")
              ? { text: "Greetings have a blank before the name.", type: "bugfix" }
              : { none: "It was shown no note." },
          }),
        },
      }),
    });
  });
  afterAll(async () => {
    await scene.close();
    repo.remove();
  });

  it("are kept: the change has a note with its number", async () => {
    const { world } = scene;
    const issue = await scene.ask("No blank in src/greet.js", "It says `Good dayAna`.");
    const { pull } = await scene.ended(issue);
    const path = `news/${issue}.bugfix.md`;
    const head = pull?.head.sha ?? "";
    expect(await world.git("diff", "--name-only", "main", head)).toBe(`${path}\nsrc/greet.js`);
    expect(await world.git("show", `${head}:${path}`)).toBe("Greetings have a blank before the name.");
    expect(await world.git("log", "--format=%s", `main..${head}`)).toBe("fix: do what the issue asks for");
    expect(pull?.body).toContain(`Its note, as most changes here have one: \`${path}\`.`);
    expect(scene.calls("n01-write-note")).toHaveLength(1);
  });
});
