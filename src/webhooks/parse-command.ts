const COMMAND = /^\s*\/magis\s+resolve(?:\s+(.*))?$/i;

/**
 * The hint of a comment whose first line is `/magis resolve`: what follows on that line, and all further lines.
 * An empty text when there is none; undefined when the comment is no command.
 */
export function parseCommand(body: string): string | undefined {
  const [first = "", ...rest] = body.split(/\r\n|\r|\n/);
  const found = COMMAND.exec(first);
  return found ? [found[1] ?? "", ...rest].join("\n").trim() : undefined;
}
