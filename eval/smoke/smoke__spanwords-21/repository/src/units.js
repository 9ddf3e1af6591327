/** Letters and lengths in milliseconds, the longest first. */
export const UNITS = [
  { letter: "d", length: 86_400_000 },
  { letter: "h", length: 3_600_000 },
  { letter: "m", length: 60_000 },
  { letter: "s", length: 1_000 },
];
