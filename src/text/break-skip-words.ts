const SKIP = /\[(skip ci|ci skip|no ci|skip actions|actions skip)\]/gi;

/** Takes the brackets off `[skip ci]` and its like: no text of a model may keep checks from running. */
export function breakSkipWords(text: string): string {
  return text.replace(SKIP, "$1");
}
