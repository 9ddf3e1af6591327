/** A document as every engine gets it. */
export interface EngineFile {
  readonly path: string;
  readonly blob: string;
  readonly mode: string;
  readonly size: number;
  readonly bytes: Uint8Array;
}

export interface EngineQuery {
  readonly title: string;
  readonly body: string;
}

/** Builds what it needs of the files, and gives a function from a query to the 20 best paths. */
export type Engine = (files: readonly EngineFile[]) => Promise<(query: EngineQuery) => string[]>;

/** What a worker measured: seconds, milliseconds and MB (of resident memory above that of the files themselves). */
export interface EngineMeasure {
  readonly files: number;
  readonly megabytes: number;
  readonly build: number;
  readonly peakMb: number;
  readonly p50: number;
  readonly p95: number;
}
