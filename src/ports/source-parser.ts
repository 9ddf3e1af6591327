/** A declaration in a source file. */
export interface SourceSymbol {
  readonly name: string;
  /** `function`, `class`, `method`, `interface`, `struct`, `trait`, `impl`, `enum`, `type`, `module`, `constant`, `field`, …; `case` and `suite`: tests by their names */
  readonly kind: string;
  /** 1-based lines, both inclusive: the whole declaration */
  readonly start: number;
  readonly end: number;
  /** name of the declaration around it, if any */
  readonly parent?: string;
  /** what registers it, as it is written (`@app.route("/users")`): people look for it by that */
  readonly by?: string;
  /** a signature, with its implementation elsewhere or in what implements it; one with its implementation beside it is left out */
  readonly stub?: true;
}

const TYPES: ReadonlySet<string> = new Set(["class", "interface", "struct", "trait", "impl", "enum", "record"]);

/** Whether a function in a declaration of this kind is its method. */
export const hasMethods = (kind: string): boolean => TYPES.has(kind);

/** Kinds of what is called. */
export const CALLABLE: ReadonlySet<string> = new Set(["function", "method", "constructor"]);

/** Whether a declaration of this kind holds others, and no statements of its own. */
export const holdsDeclarations = (kind: string): boolean => hasMethods(kind) || kind === "module";

/** Whether a declaration of this kind is a test, or a group of them, and nothing that could be used. */
export const isTestKind = (kind: string): boolean => kind === "suite" || kind === "case";

/** What a file imports. */
export interface ImportedModule {
  /** with slashes: `./a` and `../a` from the file's folder, `a/b` from the top of some source folder */
  readonly from: string;
  /** what is taken from it, as far as it is said */
  readonly names: readonly string[];
}

/** Where a file does not fit its language's grammar. */
export interface SyntaxFault {
  /** 1-based: where it begins, as far as can be told; absent when the reader does not say */
  readonly line?: number;
  /** 1-based, inclusive: the last line of what could not be read */
  readonly end?: number;
  /** in words that a model can act on */
  readonly message: string;
}

/** A comment, or a text in quotes (a regular expression, what stands between tags), in UTF-16 units from the beginning. */
export interface SourceSpan {
  readonly kind: "comment" | "string";
  readonly start: number;
  /** exclusive */
  readonly end: number;
}

/** Lines that an edit took from a text, and how many it put in their place. */
export interface EditedLines {
  /** 1-based, in the text before: the first one taken, or the one that the new ones stand before */
  readonly start: number;
  readonly removed: number;
  readonly added: number;
}

/** A line that edits leave as it is, and that means something else after them. */
export interface DisturbedLine {
  /** 1-based, in the text after */
  readonly line: number;
  /** what has become of it, as the end of a sentence about the line */
  readonly what: string;
}

/** What is known of a file's syntax. A parser that failed knows nothing: that is never "no faults". */
export type SyntaxCheck =
  /** its language has no parser here */
  | { readonly kind: "unknown" }
  /** read to its end; no faults: nothing is wrong */
  | { readonly kind: "checked"; readonly faults: readonly SyntaxFault[] }
  /** its parser took too long or too much memory for it, or broke on it */
  | { readonly kind: "failed"; readonly reason: string };

/** Grammars of programming languages, and readers of JSON, YAML and TOML. No text makes a verb throw. */
export interface SourceParser {
  faults(path: string, text: string): Promise<SyntaxCheck>;
  /** undefined for a path whose language is not known, for a text that its parser failed on, and for very many */
  symbols(path: string, text: string): Promise<readonly SourceSymbol[] | undefined>;
  /** what the text imports, in its order; undefined as for `symbols` */
  imports(path: string, text: string): Promise<readonly ImportedModule[] | undefined>;
  /** 1-based lines on which `name` stands as an identifier: not in comments or strings; undefined as for `symbols` */
  references(path: string, text: string, name: string): Promise<readonly number[] | undefined>;
  /** Comments and strings, the outermost ones, in the order of the text; undefined as for `symbols`, over 100,000 */
  spans(path: string, text: string): Promise<readonly SourceSpan[] | undefined>;
  /**
   * Lines near `edits`, which are in order and share no line, that they leave as they are and that parse differently after
   * them; none where a text does not fit its grammar there. undefined as for `symbols`, and for edits of very many lines.
   */
  disturbed(
    path: string,
    change: { readonly before: string; readonly after: string; readonly edits: readonly EditedLines[] },
  ): Promise<readonly DisturbedLine[] | undefined>;
}
