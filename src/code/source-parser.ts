/** A declaration in a source file. */
export interface SourceSymbol {
  name: string;
  /**
   * `function`, `class`, `method`, `interface`, `struct`, `trait`, `impl`, `enum`, `type`, `module`, `constant`,
   * `field`, …; `case` and `suite`: tests by their names
   */
  kind: string;
  /** the lines of the whole declaration, 1-based and inclusive */
  start: number;
  end: number;
  /** name of the declaration around it, if any */
  parent?: string;
  /** the code that registers it, as written (`@app.route("/users")`): people search for that */
  by?: string;
  /** only a signature, implemented elsewhere; signatures beside their implementation are left out */
  stub?: true;
}

const TYPES: ReadonlySet<string> = new Set(["class", "interface", "struct", "trait", "impl", "enum", "record"]);

/** Whether functions in a declaration of this kind are its methods. */
export const hasMethods = (kind: string): boolean => TYPES.has(kind);

/** Kinds of declarations that can be called. */
export const CALLABLE: ReadonlySet<string> = new Set(["function", "method", "constructor"]);

/** Whether a declaration of this kind holds other declarations and no statements. */
export const holdsDeclarations = (kind: string): boolean => hasMethods(kind) || kind === "module";

/** Whether a declaration of this kind is a test or a group of tests, which other code cannot use. */
export const isTestKind = (kind: string): boolean => kind === "suite" || kind === "case";

/** An import of a file. */
export interface ImportedModule {
  /** with slashes: `./a` and `../a` from the file's folder, `a/b` from the top of some source folder */
  from: string;
  /** the imported names, as far as the file lists them */
  names: readonly string[];
  /** its lines, 1-based and inclusive */
  start: number;
  end: number;
}

/** A syntax error. */
export interface SyntaxFault {
  /** 1-based line where it seems to begin; absent when the parser does not say */
  line?: number;
  /** 1-based, inclusive: the last unreadable line */
  end?: number;
  /** a message that a model can act on */
  message: string;
}

/** The lines that an edit removed, and how many it added in their place. */
export interface EditedLines {
  /** 1-based, in the old text: the first removed line, or the line before which the new ones go */
  start: number;
  removed: number;
  added: number;
}

/** A line that edits leave unchanged, but that means something else after them. */
export interface DisturbedLine {
  /** 1-based, in the new text */
  line: number;
  /** what it turned into, as the end of a sentence about the line */
  what: string;
}

/** The result of a syntax check. A parser's failure never counts as "no errors". */
export type SyntaxCheck =
  /** its language has no parser here */
  | { kind: "unknown" }
  /** parsed to the end */
  | { kind: "checked"; faults: readonly SyntaxFault[] }
  /** its parser took too long or too much memory, or crashed */
  | { kind: "failed"; reason: string };

/** Parses programming languages, JSON, YAML and TOML. No text makes a method throw. */
export interface SourceParser {
  faults(path: string, text: string): Promise<SyntaxCheck>;
  /** undefined for an unknown language, for a text that its parser failed on, and for very many symbols */
  symbols(path: string, text: string): Promise<readonly SourceSymbol[] | undefined>;
  /** imports in the order of the text; undefined as for `symbols` */
  imports(path: string, text: string): Promise<readonly ImportedModule[] | undefined>;
  /** 1-based lines with `name` as an identifier, not in comments or strings; undefined as for `symbols` */
  references(path: string, text: string, name: string): Promise<readonly number[] | undefined>;
  /**
   * Unchanged lines near `edits` that parse differently after them; none near syntax errors. `edits` are in order and
   * share no line. undefined as for `symbols`, and for edits of very many lines.
   */
  disturbed(
    path: string,
    change: { before: string; after: string; edits: readonly EditedLines[] },
  ): Promise<readonly DisturbedLine[] | undefined>;
}
