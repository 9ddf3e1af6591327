const MAX_LENGTH = 40;

/**
 * A title as part of a branch name: ASCII lower-case letters, digits and single hyphens, at most 40 characters, cut
 * between words where it can be; "change" when nothing is left.
 */
export function slug(title: string): string {
  const words = title
    .normalize("NFKD")
    .toLowerCase()
    .replace(/\p{M}/gu, "")
    .match(/[a-z0-9]+/g);
  let made = "";
  for (const word of words ?? []) {
    const longer = made === "" ? word : `${made}-${word}`;
    if (longer.length > MAX_LENGTH) break;
    made = longer;
  }
  return made || words?.[0]?.slice(0, MAX_LENGTH) || "change";
}
