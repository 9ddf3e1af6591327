/** The content of one configuration file, with the way back to its lines. */
export interface SettingsDocument {
  /** an empty mapping for an empty file */
  readonly content: Readonly<Record<string, unknown>>;
  /**
   * The line (1 is the first) of what stands at `path`: of the value when that is a plain one, else of its key; of the
   * nearest that exists when there is nothing at `path`.
   */
  lineOf(path: readonly PropertyKey[]): number;
}

/** A fault whose file is not yet said. */
export interface DocumentFault {
  readonly line: number;
  readonly key: string;
  readonly message: string;
}
