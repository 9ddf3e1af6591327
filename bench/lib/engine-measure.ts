/** What a worker measured of an engine on an embedded database, in milliseconds. */
export interface EngineMeasure {
  /** until a webhook is answered; the median of runs that come one by one */
  answeredMs: number;
  /** from the webhook to the beginning of its run; the median of the same */
  beganMs: number;
  /** until 100 runs of 8 repositories have ended */
  togetherMs: number;
  /** time of all processors that those took */
  computingMs: number;
}
