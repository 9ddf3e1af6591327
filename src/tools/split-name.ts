/** A name as a model writes it, taken apart: `Class.method`, `mod::name`, `Class#method()`, `$name`. */
export interface SplitName {
  /** the last part, without what is no part of the name */
  readonly name: string;
  /** the part before it */
  readonly owner?: string;
}

const MAX_LENGTH = 200;

/** Takes a name apart; undefined when nothing of it can be a name. */
export function splitName(written: string): SplitName | undefined {
  const parts = written
    .trim()
    .slice(0, MAX_LENGTH)
    .replace(/\(.*$/s, "")
    .split(/\.|::|->|#|\\|\//)
    .map((part) => part.trim().replace(/^[$@:]+/, ""))
    .filter((part) => part !== "");
  const [owner, name] = [parts.at(-2), parts.at(-1)];
  if (name === undefined || /[\s"'`;,]/.test(name)) return undefined;
  return owner === undefined ? { name } : { name, owner };
}
