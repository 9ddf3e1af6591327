/** What a worker is to clone. */
export interface CloneJob {
  readonly url: string;
  readonly commit: string;
  /** file with the ids of all blobs, one a line */
  readonly blobList: string;
}

/** What a worker measured. */
export interface CloneMeasure {
  readonly seconds: number;
  /** of all files read; 0 for git itself */
  readonly bytes: number;
  /** resident memory of the worker at its peak; of git itself, which runs beside it, nothing is known */
  readonly peakMb: number;
}
