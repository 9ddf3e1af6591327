const IMAGE_LINES = 200;

/** The machine's image and its version, as the first lines of a log name them. */
export function imageIn(log: string): string | undefined {
  const lines = log.slice(0, 100_000).split("\n", IMAGE_LINES);
  const said = (key: RegExp) => lines.map((line) => key.exec(line)?.[1]).find((value) => value);
  const image = said(/^(?:\S+Z )?Image: (\S{1,60})\s*$/);
  const version = said(/^(?:\S+Z )?Version: (\S{1,60})\s*$/);
  return image && (version ? `${image} ${version}` : image);
}
