import { readFile } from "node:fs/promises";
import type { z } from "zod";

/** The values of a JSONL file, each checked by `schema`; throws an Error that names file and line. */
export async function readJsonLines<T>(file: string, schema: z.ZodType<T>): Promise<T[]> {
  const values: T[] = [];
  for (const [index, line] of (await readFile(file, "utf8")).split("\n").entries()) {
    if (line.trim() === "") continue;
    try {
      values.push(schema.parse(JSON.parse(line)));
    } catch (error) {
      throw new Error(`${file}, line ${index + 1}: ${error instanceof Error ? error.message : error}`, {
        cause: error,
      });
    }
  }
  return values;
}
