/** Words that are listed with blanks between them, each a pattern itself: any of them, with what stands around it. */
export function listed(before: string, list: string, after: string, flags = ""): RegExp {
  return new RegExp(`${before}(?:${list.trim().split(/\s+/).join("|")})${after}`, flags);
}

/** Paths of files with one of the listed names. */
export const named = (names: string): RegExp => listed("(?:^|/)", names, "$");

/** Paths below a folder with one of the listed names. */
export const inFolder = (names: string): RegExp => listed("(?:^|/)", names, "/");

/** Paths of files with one of the listed extensions. */
export const extension = (extensions: string): RegExp => listed("\\.", extensions, "$");

/** Matches where any of `patterns` does. */
export function anyOf(...patterns: readonly RegExp[]): RegExp {
  return new RegExp(patterns.map(({ source }) => source).join("|"));
}
