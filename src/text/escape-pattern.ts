/** A text as a pattern that matches it and nothing else. */
export const escapePattern = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
