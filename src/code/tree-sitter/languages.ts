/** Grammars that are shipped, by the names of their files. */
export type Grammar =
  | "c-sharp"
  | "cpp"
  | "go"
  | "java"
  | "javascript"
  | "php"
  | "python"
  | "ruby"
  | "rust"
  | "tsx"
  | "typescript";

/** C is read as C++, of which it is nearly a part: see `maskC` for the rest. */
const GRAMMARS: readonly (readonly [RegExp, Grammar])[] = [
  [/\.pyi?$/i, "python"],
  [/\.([cm]?js|jsx)$/i, "javascript"],
  [/\.[cm]?ts$/i, "typescript"],
  [/\.tsx$/i, "tsx"],
  [/\.go$/i, "go"],
  [/\.java$/i, "java"],
  [/(\.(rb|rake|gemspec|ru)|(^|\/)(Gemfile|Rakefile))$/i, "ruby"],
  [/\.rs$/i, "rust"],
  [/\.(c|h|cc|cpp|cxx|hh|hpp|hxx|inl)$/i, "cpp"],
  [/\.cs$/i, "c-sharp"],
  [/\.php$/i, "php"],
];

/** The grammar of a file by its path; undefined for a language that has none here. */
export function grammarOf(path: string): Grammar | undefined {
  return GRAMMARS.find(([pattern]) => pattern.test(path))?.[1];
}

/** Data whose syntax is checked. */
export type DataFormat = "json" | "yaml" | "toml";

const FORMATS: readonly (readonly [RegExp, DataFormat])[] = [
  [/\.(?:jsonc?|json5)$/i, "json"],
  [/\.ya?ml$/i, "yaml"],
  [/\.toml$/i, "toml"],
];

/** The format of a file of data by its path; undefined for other files. */
export function formatOf(path: string): DataFormat | undefined {
  return FORMATS.find(([pattern]) => pattern.test(path))?.[1];
}
