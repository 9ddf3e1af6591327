import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { SmokeAnswers } from "../../eval/answers-schema.ts";

/** Applies an instance's answers to the checkout in `folder`; edits count the lines of the base file. */
export async function writeAnswers(folder: string, answers: SmokeAnswers): Promise<void> {
  for (const [path, answer] of Object.entries(answers.files)) {
    const file = join(folder, path);
    if (answer.action === "delete") {
      await rm(file);
    } else if (answer.action === "create") {
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, answer.content, { flag: "wx" });
    } else {
      const lines = (await readFile(file, "utf8")).split("\n");
      // From the last edit to the first, so that the line numbers of the base file stay right.
      for (const { start, end, text } of answer.edits.toSorted((a, b) => b.start - a.start)) {
        lines.splice(start - 1, end - start + 1, ...text.split("\n"));
      }
      await writeFile(file, lines.join("\n"));
    }
  }
}
