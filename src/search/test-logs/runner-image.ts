const IMAGE_LINES = 200;

/** The machine's image and its version, as the first lines of a log name them. */
export function imageIn(log: string): string | undefined {
  const lines = log.slice(0, 100_000).split("\n", IMAGE_LINES);
  const said = (key: string) =>
    lines.map((line) => new RegExp(`^(?:\\S+Z )?${key}: (\\S{1,60})\\s*$`).exec(line)?.[1]).find((value) => value);
  const [image, version] = [said("Image"), said("Version")];
  return image && (version ? `${image} ${version}` : image);
}
