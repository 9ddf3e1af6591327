import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createGitRepo, type GitRepo } from "../git/git-repo.ts";
import { createScript } from "../scripted-model/script.ts";
import type { ScriptedModel } from "../scripted-model/scripted-model.ts";
import { startScriptedModel } from "../scripted-model/start-scripted-model.ts";
import { type StartedCommand, startMagis, startMagisHere } from "./start-magis.ts";

export const GREET = "export function greet(name) {\n  return 'Helo ' + name;\n}\n";
export const FILES = [
  { path: "src/greet.js", content: GREET },
  { path: "src/dos.js", content: "const a = 1;\r\nconst b = 2;\r\n" },
  { path: "src/open end.js", content: "first\nlast" },
  { path: "src/grüße.js", content: "hallo\n" },
  { path: "bin/run.sh", content: "#!/bin/sh\necho a\n", mode: "100755" as const },
  { path: "src/old.js", content: "gone\n" },
  { path: "src/latin.js", content: Buffer.from("caf\xe9 = 1\nx = 2\n", "latin1") },
  { path: "README.md", content: "# shop\n" },
];
const edit = (start: number, text: string) => ({ rounds: [{ edits: [{ start, end: start, text }] }] });
const script = createScript({
  files: {
    "src/greet.js": { ...edit(2, "  return 'Hello ' + name;"), newFiles: ["test/greet test.js"] },
    "test/greet test.js": { rounds: [{ content: "// a test\n" }] },
    "src/dos.js": edit(2, "const b = 3;"),
    "src/open end.js": edit(2, "very_last"),
    "src/grüße.js": edit(1, "grüße"),
    "bin/run.sh": edit(2, "echo b"),
    "src/old.js": { action: "delete", rounds: [{}] },
    "src/latin.js": edit(2, "x = 3"),
    "README.md": { rounds: [{}] },
  },
});

/** A bare repository of real git, a scripted model, and a folder in which commands are given. */
export interface LocalScene {
  folder: string;
  repo: GitRepo;
  model: ScriptedModel;
  /** Starts `magis resolve …` in this process. */
  resolve(...words: string[]): StartedCommand;
  /** The same as a process of its own, with what stands on its standard input. */
  resolveAlone(words: readonly string[], input?: string): StartedCommand;
  /** Writes an issue; gives the file's name. */
  issue(text: string): Promise<string>;
  close(): Promise<void>;
}

export async function startLocalScene(): Promise<LocalScene> {
  const folder = await mkdtemp(join(tmpdir(), "magis-resolve-"));
  const repo = createGitRepo();
  repo.commit(FILES);
  const model = await startScriptedModel({ answer: script });
  const environment = { ANTHROPIC_API_KEY: "scripted", ANTHROPIC_BASE_URL: model.url };
  let issues = 0;
  return {
    folder,
    repo,
    model,
    resolve: (...words) => startMagisHere(["resolve", ...words], { environment, cwd: folder }),
    resolveAlone: (words, input) => startMagis(["resolve", ...words], { environment, cwd: folder, input }),
    async issue(text) {
      issues += 1;
      const file = join(folder, `issue-${issues}.md`);
      await writeFile(file, text);
      return file;
    },
    async close() {
      await model.stop();
      repo.remove();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
