/** A text on the host with its author. */
interface Said {
  readonly author: string;
  readonly body: string;
}

/**
 * What the marks of one kind (`answer`, `unanswered`) in the app's own texts name. Marks of anybody else do not count.
 */
export function ownMarks(kind: "answer" | "unanswered", texts: readonly Said[], login: string): ReadonlySet<string> {
  const mark = new RegExp(`<!-- magis:${kind} ([^>]*?) -->`, "g");
  const own = texts.filter(({ author }) => author === login);
  const named = own.flatMap(({ body }) => [...body.matchAll(mark)].map(([, sources = ""]) => sources));
  return new Set(named.flatMap((sources) => sources.split(" ")));
}
