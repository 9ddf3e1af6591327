/** What a worker is to clone. */
export interface CloneJob {
  url: string;
  commit: string;
  /** file with the ids of all blobs, one a line */
  blobList: string;
}

/** What a worker measured. */
export interface CloneMeasure {
  seconds: number;
  /** of all files read; 0 for git itself */
  bytes: number;
  /** resident memory of the worker at its peak; of git itself, which runs beside it, nothing is known */
  peakMb: number;
}
