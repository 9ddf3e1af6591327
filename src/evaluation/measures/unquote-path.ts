const ESCAPES: Readonly<Record<string, number>> = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13, '"': 34, "\\": 92 };

/** The path that git wrote in a patch: C-quoted with octal bytes when it holds anything but plain ASCII, else as it is. */
export function unquotePath(written: string): string {
  if (!/^".*"$/s.test(written)) return written;
  const bytes: number[] = [];
  for (const [, octal, letter, plain] of written.slice(1, -1).matchAll(/\\([0-7]{3})|\\(.)|([^\\]+)/gs)) {
    if (octal !== undefined) bytes.push(Number.parseInt(octal, 8));
    else if (letter !== undefined) bytes.push(ESCAPES[letter] ?? letter.charCodeAt(0));
    else bytes.push(...new TextEncoder().encode(plain));
  }
  return new TextDecoder().decode(new Uint8Array(bytes));
}
