/** A value as JSON for programs, with a newline. Controls that JSON leaves as they are could still move a terminal. */
export function jsonText(value: unknown): string {
  const text = JSON.stringify(value, undefined, 2).replace(
    /[\u007f-\u009f]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return `${text}\n`;
}
