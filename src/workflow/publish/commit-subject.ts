const WIDTH = 72;
const MIN_LENGTH = 20;
const TYPED = /^([a-z]+(?:\([^)]*\))?!?): (.*)$/;

/**
 * A commit's first line after the setting `commit`: `title` is that of `commitTitle` (`fix: …`, safe already), taken
 * apart into `{type}` and `{title}`. What is longer than 72 characters loses the end of its title, between words where
 * it can be.
 */
export function commitSubject(template: string, title: string, issue: number): string {
  const [, type = "fix", subject = title] = TYPED.exec(title) ?? [];
  const fill = (words: string) =>
    template.replace(/\{(type|title|issue)\}/g, (_all, name) =>
      name === "type" ? type : name === "issue" ? String(issue) : words,
    );
  return fill(cut(subject, Math.max(MIN_LENGTH, WIDTH - fill("").length)));
}

function cut(words: string, room: number): string {
  if (words.length <= room) return words;
  const short = words.slice(0, room - 1);
  const space = short.lastIndexOf(" ");
  return `${(space > room / 2 ? short.slice(0, space) : short).replace(/[\ud800-\udbff]$|[ ,;:.…-]+$/, "")}…`;
}
