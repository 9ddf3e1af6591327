import { readFileSync } from "node:fs";

export interface Instruction {
  word: string;
  rest: string;
}

/** The instructions of each stage of the Dockerfile, comments gone and continued lines joined. */
export function parseStages(): readonly (readonly Instruction[])[] {
  const text = readFileSync(new URL("../../Dockerfile", import.meta.url), "utf8");
  const stages: Instruction[][] = [];
  const lines = text.replace(/^#.*\n/gm, "").replace(/\\\n\s*/g, "");
  for (const line of lines.split("\n").filter(Boolean)) {
    const [word = "", ...rest] = line.split(" ");
    if (word === "FROM") stages.push([]);
    stages.at(-1)?.push({ word, rest: rest.join(" ").trim() });
  }
  return stages;
}

/** The arguments of each `word` instruction in the last stage, which is shipped. */
export const shipped = (word: string): readonly string[] =>
  (parseStages().at(-1) ?? []).filter((instruction) => instruction.word === word).map(({ rest }) => rest);

/** The variables that the image sets. */
export const imageVariables = (): Readonly<Record<string, string>> =>
  Object.fromEntries(shipped("ENV").flatMap((rest) => rest.split(/\s+/).map((pair) => pair.split("="))));
