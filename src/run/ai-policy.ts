import pMap from "p-map";
import { readText } from "../code/edits/text-file.ts";
import { isAnswerError, isHostRefusal } from "../data/error.ts";
import { type AiPolicy, POLICY_MARKER } from "../data/plan.ts";
import type { Repository } from "../git/repository.ts";
import type { OwnerReads } from "../github/code-host.ts";
import { judgePolicy, type Passage, type PolicyVerdict } from "../models/agents.ts";
import type { PromptRunner } from "../models/prompt-runner.ts";
import { plain } from "../text/compose-markdown.ts";
import { either, listed } from "../text/patterns.ts";
import { documentText } from "../text/shown-text.ts";
import type { PhaseContext } from "./run-context.ts";

/** Documents that say what contributors may do, at the root, in `.github/` or in `docs/`. */
const DOCUMENTS = either(
  "i",
  /^(?:\.github\/|docs\/)?(?:ai|llm|genai|generative|contributing|agents|claude|security|code_of)[\w-]*\.(?:md|rst|txt)$/,
  /^(?:\.github\/|docs\/)?pull_request_template(?:\/[^/]+)?\.(?:md|txt)$/,
);

/** The same in the owner's `.github` repository, whose documents hold where a repository has none. */
const OWNERS_DOCUMENTS = ["AI_POLICY.md", ".github/AI_POLICY.md", "CONTRIBUTING.md", ".github/CONTRIBUTING.md"];

const ABOUT_AI = listed(
  String.raw`\b`,
  String.raw`
    AIs? A\.I LLMs? GPT ChatGPT Copilot Claude Gemini Codex agentic artificial\x20intelligence language\x20models?
    generative generated\x20by\x20(?:a\x20)?(?:machines?|tools?|models?) vibe[-\x20]?cod\w*
    (?:coding|autonomous|unsupervised|automated)\x20agents?`,
  String.raw`\b`,
  "i",
);

const ABOUT_CHANGES = listed(
  String.raw`\b`,
  String.raw`
    contribut\w* pull\x20requests? PRs? patch(?:es)? commits? submi\w+ authors? generated assisted disclos\w* credit\w*
    policy humans?`,
  String.raw`\b`,
  "i",
);

const MAX_DOCUMENT = 512 * 1024;

/** A repository with more of them has more templates, or documents of its own on AI, than anybody reads. */
const MAX_DOCUMENTS = 30;

/** Documents of which there may be many. */
const FURTHER = /template\/|^docs\/(?!contributing\.)/i;

/** Characters of all passages together. */
const MAX = 6_000;

const MAX_PASSAGE = 1_500;

/**
 * What a repository's documents ask of a change that AI wrote. Costs nothing where no passage is about AI and changes,
 * else one call of the fast tier, whose quote must stand in the passage. An answer that cannot be used counts as the
 * wish for a person to answer for the change. Where a person has said to go on `anyway`, what GitHub refuses to show of
 * the owner's counts as not there. Undefined: nothing is asked.
 */
export async function readAiPolicy(
  repository: Repository,
  host: OwnerReads,
  prompts: PromptRunner,
  anyway = false,
): Promise<AiPolicy | undefined> {
  const passages = await passagesOf(repository, host, anyway);
  const [first] = passages;
  if (first === undefined) return undefined;
  const said = (at: number) => passages.find(({ number }) => number === at);
  const check = ({ answer, passage, quote }: PolicyVerdict) => {
    if (answer === "none") return undefined;
    const text = said(passage)?.text;
    if (text === undefined) return `There is no passage ${passage}.`;
    const isThere = quote.trim() !== "" && squeezed(text).includes(squeezed(quote));
    return isThere
      ? undefined
      : `The quote does not stand in passage ${passage}: copy one sentence of it word for word.`;
  };
  try {
    const { answer, passage, quote, form, mark } = await judgePolicy(prompts, passages, check);
    if (answer === "none") return undefined;
    const { path, line, text } = said(passage) ?? first;
    return {
      asks: answer,
      quote: quote.trim().slice(0, MAX_QUOTE),
      path,
      line: line + lineOf(text, quote),
      ...wanted(form, mark, text),
    };
  } catch (error) {
    if (!isAnswerError(error)) throw error;
    const { path, line, text } = first;
    return { asks: "supervised", quote: text.trim().split("\n")[0]?.slice(0, MAX_QUOTE) ?? "", path, line };
  }
}

const MAX_QUOTE = 300;

const squeezed = (text: string) =>
  text
    .replace(/[\s>*_`"'’]+/g, " ")
    .trim()
    .toLowerCase();

/** Lines of a passage above the one where the quote begins. */
function lineOf(text: string, quote: string): number {
  const begin = squeezed(quote).slice(0, 30);
  return Math.max(
    0,
    text.split("\n").findIndex((line) => squeezed(line).includes(begin)),
  );
}

const TRAILERS = ["Assisted-by", "Generated-by"] as const;

/** The form of disclosure, if it is one of those that cannot do harm and stands in the passage as it is. */
function wanted(form: string, mark: string, text: string): Pick<AiPolicy, "trailer" | "marker"> {
  const stands = text.includes(mark);
  const trailer = TRAILERS.find((name) => name.toLowerCase() === mark.replace(/:.*/s, "").trim().toLowerCase());
  if (form === "trailer") return { trailer: stands ? trailer : undefined };
  return { marker: form === "marker" && stands && POLICY_MARKER.test(mark) ? mark : undefined };
}

async function passagesOf(
  { entries, readBlob }: Repository,
  host: OwnerReads,
  anyway: boolean,
): Promise<readonly Passage[]> {
  const found = [...entries.values()]
    .filter(
      ({ path, mode, size = MAX_DOCUMENT + 1 }) =>
        DOCUMENTS.test(path) && mode.startsWith("100") && size <= MAX_DOCUMENT,
    )
    .sort((a, b) => Number(FURTHER.test(a.path)) - Number(FURTHER.test(b.path)) || policiesFirst(a, b))
    .slice(0, MAX_DOCUMENTS);
  const own = await pMap(
    found,
    async ({ path, blob }) => ({ path, text: readText(await readBlob(blob))?.lines.join("") ?? "" }),
    { concurrency: 2 },
  );
  const documents = [...own, ...(await ownersDocuments(host, anyway))].sort(policiesFirst);
  const passages: Passage[] = [];
  let room = MAX;
  for (const { path, text } of documents) {
    for (const { line, paragraph } of paragraphsOf(text)) {
      if (room === 0) return passages;
      const shown = paragraph.slice(0, Math.min(MAX_PASSAGE, room));
      if (shown === "" || !ABOUT_AI.test(paragraph) || !ABOUT_CHANGES.test(paragraph)) continue;
      passages.push({ number: passages.length + 1, path, line, text: shown });
      room -= shown.length;
    }
  }
  return passages;
}

const policiesFirst = (a: { path: string }, b: { path: string }) => worthOf(b) - worthOf(a);

const worthOf = ({ path }: { path: string }) => 2 * Number(/polic/i.test(path)) + Number(/ai[-_]/i.test(path));

/** One request for most owners, who have no `.github` repository. Throws what the host throws. */
async function ownersDocuments(host: OwnerReads, anyway: boolean) {
  const orNone = async <T>(read: Promise<T>, none: T) =>
    read.catch((error: unknown) => {
      if (anyway && isHostRefusal(error)) return none;
      throw error;
    });
  const root = await orNone(host.listFolder(".github", ""), []);
  const inner = root.includes(".github") ? await orNone(host.listFolder(".github", ".github"), []) : [];
  const paths = [...root, ...inner.map((name) => `.github/${name}`)].filter((path) => OWNERS_DOCUMENTS.includes(path));
  return Promise.all(
    paths.map(async (path) => {
      const text = await orNone(host.readFile(".github", path), undefined);
      return { path: `.github:${path}`, text: typeof text === "string" ? text : "" };
    }),
  );
}

/** A heading belongs to the paragraph below it. Marks that an HTML comment asks for have to be seen, so these stay. */
function paragraphsOf(text: string): readonly { line: number; paragraph: string }[] {
  const found: { line: number; paragraph: string }[] = [];
  let block: string[] = [];
  let last = "";
  const close = (end: number) => {
    if (block.length > 0) found.push({ line: end - block.length + 1, paragraph: block.join("\n") });
    [block, last] = [[], ""];
  };
  const lines = text.split(/\r?\n/);
  lines.forEach((line, at) => {
    const isBlank = line.trim() === "";
    if (isBlank && !last.startsWith("#")) close(at);
    else block.push(line);
    if (!isBlank) last = line.trim();
  });
  close(lines.length);
  return found;
}

interface Obeying {
  /** the policy that an earlier run read */
  known?: AiPolicy | undefined;
  /** a person has said to go on where bots may not be authors */
  anyway?: boolean | undefined;
  /** how a maintainer says to go on; a new run on an issue hears the command */
  overriddenBy?: "command" | "setting";
}

/** Reads the policy where the settings follow it, and says in a sentence why it keeps the bot from working, if it does. */
export async function obeyAiPolicy(
  { settings, repository, host, prompts }: PhaseContext,
  { known, ...how }: Obeying = {},
): Promise<{ policy?: AiPolicy | undefined; stopped?: string | undefined }> {
  if (settings.aiPolicy === "ignore") return {};
  try {
    const policy = known ?? (await readAiPolicy(repository, host, prompts, how.anyway));
    return { policy, stopped: stoppedBy(policy, how) };
  } catch (error) {
    if (!isHostRefusal(error)) throw error;
    const what = "I could not look what the owner's `.github` repository asks of changes made with AI.";
    return { stopped: `${what} ${error.message} ${how.overriddenBy === "setting" ? BY_SETTING : BY_COMMAND}` };
  }
}

const BY_SETTING = "Maintainers who want my work all the same set `ai-policy: ignore` in `.github/magis.yml`.";

const BY_COMMAND = "A maintainer who wants a pull request of mine all the same comments `/magis resolve anyway`.";

/** Why a policy keeps the bot from working, as a sentence for people; undefined if it does not. */
export function stoppedBy(
  policy: AiPolicy | undefined,
  { anyway = false, overriddenBy = "command" }: Omit<Obeying, "known"> = {},
): string | undefined {
  if (policy?.asks === "forbidden") return `${saidIn(policy)} So I made nothing. ${BY_SETTING}`;
  if (policy?.asks !== "no-bots" || anyway) return undefined;
  return `${saidIn(policy)} ${overriddenBy === "setting" ? BY_SETTING : BY_COMMAND}`;
}

const saidIn = ({ path, line, quote }: AiPolicy) =>
  `\`${path}\`, line ${line}, says: "${plain(documentText(quote).replace(/\s+/g, " ").trim())}"`;
