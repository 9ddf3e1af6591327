const MARK = /<!-- magis:repaired ([0-9a-f]{7,64}) (\S*) -->/g;

export interface Repair {
  readonly commit: string;
  readonly title: string;
}

/** The repairs that the app's own comments tell of, by their marks, in the order of the comments. */
export function readRepairs(bodies: readonly string[]): readonly Repair[] {
  return bodies.flatMap((body) =>
    [...body.matchAll(MARK)].map(([, commit = "", title = ""]) => ({ commit, title: decoded(title) })),
  );
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
