/**
 * `text`, or its beginning with a note of how much is left out, `most` characters in all. Never splits a character.
 * Every cut of people's words, logs and files comes through here, so that nobody takes a part for the whole.
 */
export function cutEnd(text: string, most: number): string {
  if (text.length <= most) return text;
  const room = most - endNote(text.length).length;
  const kept = text.slice(0, Math.max(0, room)).replace(/[\ud800-\udbff]$/, "");
  return `${kept}${endNote(text.length - kept.length)}`;
}

/** Like `cutEnd`, for a text whose end matters most. */
export function cutBeginning(text: string, most: number): string {
  if (text.length <= most) return text;
  const room = most - beginningNote(text.length).length;
  const kept = room > 0 ? text.slice(-room).replace(/^[\udc00-\udfff]/, "") : "";
  return `${beginningNote(text.length - kept.length)}${kept}`;
}

/** Like `cutEnd`, for a text whose beginning and end matter most. */
export function cutMiddle(text: string, most: number): string {
  if (text.length <= most) return text;
  const half = Math.max(0, Math.floor((most - middleNote(text.length).length) / 2));
  const head = text.slice(0, half).replace(/[\ud800-\udbff]$/, "");
  const tail = text.slice(text.length - half).replace(/^[\udc00-\udfff]/, "");
  return `${head}${middleNote(text.length - head.length - tail.length)}${tail}`;
}

const endNote = (left: number) => `\n[The remaining ${left} characters are left out.]`;

const beginningNote = (left: number) => `[The first ${left} characters are left out.]\n`;

const middleNote = (left: number) => `\n[${left} characters are left out here.]\n`;
