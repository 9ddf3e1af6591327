const OPENING = /^([ \t>*+\-\d.)]*(?:`{3,}|~{3,})[ \t]*[\w+#.-]{0,20})[^\n]*/gm;

/** Leaves of what stands behind the opening of a code fence only the language: the page shows nothing of it. */
export function stripFenceInfo(text: string): string {
  return text.replace(OPENING, (line, opening: string) =>
    /`{3,}/.test(opening) && line.slice(opening.length).includes("`") ? line : opening,
  );
}
