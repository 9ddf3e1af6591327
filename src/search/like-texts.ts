import lunr from "lunr";
import { createPacer } from "../text/next-turn.ts";
import type { IssueText } from "./ranking-types.ts";

/** A short text in people's words: the message of a commit, say. */
export interface ShortText {
  title: string;
  body: string;
}

const TITLE_WEIGHT = 2;

/** Of each body; what follows is a log mostly. */
const MAX_BODY = 1_500;

/** Of the issue: with more of them it holds a log. */
const MAX_WORDS = 800;

const WORD = /[\p{L}\p{N}_$]+/gu;

/** Characters; what is longer is no word, and the stemmer would take its time over it. */
const MAX_WORD = 80;

/** Stands for all words that the issue does not have: they only add to a text's length. */
const OTHER = "~";

/** Work on a character, compared to reading one: three hundred long messages take half a second. */
const STEMMING = 100;

/**
 * How much each text has to do with the issue, by lunr: English words without stop words, by their stems, the rarer
 * among the texts the more, those of the title twice; 0 where they share none. Takes any texts; never throws.
 */
export async function likenessOf(texts: readonly ShortText[], issue: IssueText): Promise<readonly number[]> {
  const wanted = countWords(issue);
  const builder = new lunr.Builder();
  builder.ref("place");
  builder.field("title", { boost: TITLE_WEIGHT });
  builder.field("body");
  const tokensOf = (text: unknown) =>
    stemsIn(String(text)).map((stem) => new lunr.Token(wanted.has(stem) ? stem : OTHER, {}));
  builder.tokenizer = Object.assign(tokensOf, { separator: lunr.tokenizer.separator });
  const pause = createPacer();
  for (const [place, { title, body }] of texts.entries()) {
    await pause(STEMMING * (title.length + Math.min(body.length, MAX_BODY)));
    builder.add({ place, title, body: body.slice(0, MAX_BODY) });
  }
  const found = builder.build().query((query) => {
    for (const [stem, count] of wanted) query.term(stem, { boost: 1 + Math.log(count), usePipeline: false });
  });
  const scores = new Map(found.map(({ ref, score }) => [Number(ref), score]));
  return texts.map((_, place) => scores.get(place) ?? 0);
}

export interface PastCommit {
  commit: string;
  message: string;
  paths: readonly string[];
}

/** How similar each commit's message is to the issue; see `likenessOf`. */
export function likenessTo(issue: IssueText, history: readonly PastCommit[]): Promise<readonly number[]> {
  const texts = history.map(({ message }) => {
    const [title = "", ...body] = message.split("\n");
    return { title, body: body.join("\n") };
  });
  return likenessOf(texts, issue);
}

/** The issue's stems and how often it has each, the title's counting twice. */
function countWords({ title, body, hints = [] }: IssueText): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const text of [title, title, body, ...hints])
    for (const stem of stemsIn(text).slice(0, MAX_WORDS)) counts.set(stem, (counts.get(stem) ?? 0) + 1);
  return counts;
}

const english = new lunr.Pipeline();
english.add(lunr.stopWordFilter, lunr.stemmer);

function stemsIn(text: string): string[] {
  const words = (text.toLowerCase().match(WORD) ?? []).filter((word) => word.length <= MAX_WORD);
  return english.run(words.map((word) => new lunr.Token(word, {}))).map(String);
}
