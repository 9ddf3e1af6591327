/** A document as every engine gets it. */
export interface EngineFile {
  path: string;
  blob: string;
  mode: string;
  size: number;
  bytes: Uint8Array;
}

export interface EngineQuery {
  title: string;
  body: string;
}

/** Builds what it needs of the files, and gives a function from a query to the 20 best paths. */
export type Engine = (files: readonly EngineFile[]) => Promise<(query: EngineQuery) => string[]>;

/** What a worker measured: seconds, milliseconds and MB (of resident memory above that of the files themselves). */
export interface EngineMeasure {
  files: number;
  megabytes: number;
  build: number;
  peakMb: number;
  p50: number;
  p95: number;
}
