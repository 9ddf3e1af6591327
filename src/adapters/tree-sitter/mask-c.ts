/** Words that mean something in C++ and may be names in C. `operator` and `using` would not parse as names either. */
const WORDS =
  /\b(?:class|new|delete|this|template|typename|namespace|private|public|protected|virtual|friend|try|catch|throw|operator|using|explicit|mutable|export|and|or|not|xor)\b/g;

/**
 * A C text whose names are no words of C++, so that the C++ grammar takes it. Every position stays: only the first
 * letters change. Not for headers, which may be C++.
 */
export function maskC(path: string, text: string): string {
  return /\.c$/.test(path) ? text.replace(WORDS, (word) => word.charAt(0).toUpperCase() + word.slice(1)) : text;
}
