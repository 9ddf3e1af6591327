/** US dollars per million tokens. By default a cache write costs 1.25 and a cache read 0.1 of `input`. */
export interface ModelPrice {
  readonly input: number;
  readonly output: number;
  readonly cacheWrite?: number;
  readonly cacheRead?: number;
}
