/** A declaration in a source file. */
export interface SourceSymbol {
  readonly name: string;
  /** `function`, `class`, `method`, `interface`, `struct`, `trait`, `impl`, `enum`, `type`, `module`, `constant`, `field`, … */
  readonly kind: string;
  /** 1-based lines, both inclusive: the whole declaration */
  readonly start: number;
  readonly end: number;
  /** name of the declaration around it, if any */
  readonly parent?: string;
}

/** Where a source file does not fit its language's grammar. */
export interface SyntaxFault {
  /** 1-based: where it begins, as far as a grammar can tell */
  readonly line: number;
  /** 1-based, inclusive: the last line of what could not be read */
  readonly end: number;
  /** in words that a model can act on, with the text of `line` */
  readonly message: string;
}

/** Grammars of programming languages. Every verb gives undefined for a path whose language it does not know. */
export interface SourceParser {
  faults(path: string, text: string): Promise<readonly SyntaxFault[] | undefined>;
  symbols(path: string, text: string): Promise<readonly SourceSymbol[] | undefined>;
  /** 1-based lines on which `name` stands as an identifier: not in comments or strings */
  references(path: string, text: string, name: string): Promise<readonly number[] | undefined>;
}
