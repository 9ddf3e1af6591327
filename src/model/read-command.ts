import { distance as editDistance } from "fastest-levenshtein";
import { type Command, VERBS, type Verb } from "./command.ts";

const FIRST_LINE = /^\s*\/magis(?:\s+(\S+))?(?:\s+(.*?))?\s*$/i;
const AMOUNT = /^\+?\s*\$?\s*(\d{1,6}(?:\.\d{1,4})?)\s*\$?$/;
const MAX_TEXT_LENGTH = 30;

/** The command of a comment: only its first line counts. Undefined when it does not begin with `/magis`. */
export function readCommand(body: string): Command | undefined {
  const [first = "", ...rest] = body.split(/\r\n|\r|\n/);
  const found = FIRST_LINE.exec(first);
  if (!found) return undefined;
  const [, word = "help", argument = ""] = found;
  const verb = VERBS.find((one) => one === word.toLowerCase());
  if (!verb) return { verb: "unknown", text: word.slice(0, MAX_TEXT_LENGTH), nearest: nearestVerb(word.toLowerCase()) };
  if (verb === "resolve" || verb === "plan" || verb === "approve")
    return { verb, words: [argument, ...rest].join("\n").trim() };
  if (verb !== "continue") return { verb };
  if (argument === "") return { verb };
  const amount = Number(AMOUNT.exec(argument)?.[1] ?? "0");
  return amount > 0
    ? { verb, amount }
    : { verb: "unknown", text: `continue ${argument}`.slice(0, MAX_TEXT_LENGTH), nearest: "continue" };
}

function nearestVerb(word: string): Verb {
  const distances = VERBS.map((verb) => ({ verb, distance: editDistance(word, verb) }));
  return distances.reduce((best, one) => (one.distance < best.distance ? one : best)).verb;
}
