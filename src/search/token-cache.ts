import { LRUCache } from "lru-cache";
import { readWords } from "../data/own-files.ts";
import type { RepositoryId } from "../data/run-request.ts";
import { either } from "../text/patterns.ts";
import { type ContentClass, classifyContent } from "./classify-file.ts";
import { cutParts } from "./file-parts.ts";
import { countIdentifiers, IdentifierTable } from "./identifier-table.ts";
import type { FilePart, FileTokens, IssueText } from "./ranking-types.ts";
import { STOP_WORDS, splitIdentifier, withJoined, withoutStarts } from "./terms.ts";

/** What is kept of a blob: its tokens, and what its content shows it to be. */
export interface BlobRecord {
  /** null for text written by hand; anything but text has no tokens */
  content: ContentClass | null;
  tokens: FileTokens;
  /** of a large text, see `IndexedFile` */
  parts?: readonly FilePart[];
}

const RECORD_BYTES = 200;

const IDENTIFIER_BYTES = 150;

/** The work of counting so many bytes, a file's own among it, compared to reading one; see `createPacer`. */
export const countingWork = (bytes: number): number => 20 * (1_000 + bytes);

/**
 * Tokens of blobs by id, and of paths. A blob in it need not be read again, whatever the commit, because the id stands
 * for the content. The least recently used go first. Repositories of different owners get different caches.
 */
export class TokenCache {
  #index = createTextIndexer();
  /** Bounded by `#evict`, since the table of identifiers grows with it. */
  readonly #blobs = new LRUCache<string, BlobRecord>({ maxSize: Number.MAX_SAFE_INTEGER, sizeCalculation: sizeOf });
  readonly #paths = new Map<string, FileTokens>();
  readonly #mostBytes: number;
  #pathsBytes = 0;

  /** `mostBytes`: about how much memory it may take; 256 MiB by default. */
  constructor({ mostBytes = 256 * 1024 * 1024 }: { mostBytes?: number } = {}) {
    this.#mostBytes = mostBytes;
  }

  /** How many blobs it knows. */
  get size(): number {
    return this.#blobs.size;
  }

  /** What is known of a blob, or undefined when it has to be read. */
  get(blob: string): BlobRecord | undefined {
    return this.#blobs.get(blob);
  }

  /** Counts a blob that was read as a whole, and keeps the counts. */
  add(blob: string, bytes: Uint8Array): BlobRecord {
    const content = classifyContent(bytes);
    return this.#keep(blob, { content, tokens: this.#index(isCounted(content) ? textOf(bytes) : "") });
  }

  /** Counts a large blob by its parts, with a `pause` before each, and keeps the counts. */
  async addLarge(blob: string, bytes: Uint8Array, pause: (work: number) => Promise<void>): Promise<BlobRecord> {
    const content = classifyContent(bytes);
    if (!isCounted(content)) return this.add(blob, bytes);
    // Another file may empty the cache meanwhile; all parts must use the same table.
    const index = this.#index;
    const parts: FilePart[] = [];
    let start = 0;
    for (const end of cutParts(bytes)) {
      await pause(countingWork(end - start));
      parts.push({ place: { start, end }, tokens: index(textOf(bytes.subarray(start, end))) });
      start = end;
    }
    const length = parts.reduce((sum, { tokens }) => sum + tokens.length, 0);
    return this.#keep(blob, { content, tokens: { ...index(""), length }, parts });
  }

  #keep(blob: string, record: BlobRecord): BlobRecord {
    this.#blobs.set(blob, record);
    this.#evict(record.tokens);
    return record;
  }

  /** The tokens of a path. */
  path(path: string): FileTokens {
    const known = this.#paths.get(path);
    if (known !== undefined) return known;
    const tokens = this.#index(withJoined(path));
    this.#paths.set(path, tokens);
    this.#pathsBytes += sizeOf({ tokens });
    return tokens;
  }

  /** Forgets everything. */
  clear(): void {
    this.#blobs.clear();
    this.#paths.clear();
    this.#pathsBytes = 0;
    this.#index = createTextIndexer();
  }

  #evict({ table }: FileTokens): void {
    const words = table.size * IDENTIFIER_BYTES;
    // Identifiers are never dropped one by one; when they alone fill the cache, it starts again.
    if (words > this.#mostBytes) this.clear();
    const room = this.#mostBytes - words - this.#pathsBytes;
    while (this.#blobs.calculatedSize > room && this.#blobs.size > 1) this.#blobs.pop();
  }
}

const textOf = (bytes: Uint8Array) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("utf8");

const isCounted = (content: ContentClass | null) => content === null || content.kind === "generated";

function sizeOf({ tokens, parts = [] }: Pick<BlobRecord, "tokens" | "parts">): number {
  return [tokens, ...parts.map((part) => part.tokens)].reduce(
    (sum, { counts }) => sum + RECORD_BYTES + counts.byteLength,
    0,
  );
}

/** How many repositories' tokens are kept at a time, and how much of each. */
const MAX_REPOSITORIES = 4;

const MAX_BYTES = 128 * 1024 * 1024;

/** Gives each repository of each installation a cache of its own, so that a second run reads only what changed. */
export function createTokenCaches(): (repository: RepositoryId) => TokenCache {
  const caches = new LRUCache<string, TokenCache>({ max: MAX_REPOSITORIES });
  return ({ installationId, owner, name }) => {
    const key = `${installationId}:${owner}/${name}`;
    const cache = caches.get(key) ?? new TokenCache({ mostBytes: MAX_BYTES });
    caches.set(key, cache);
    return cache;
  };
}

/**
 * Gives `indexText(text)`: what ranking keeps of a text. All texts of a factory share one table of identifiers, so that
 * counts of different files can be compared by number.
 */
export function createTextIndexer(): (text: string) => FileTokens {
  const table = new IdentifierTable();
  return (text) => {
    const found = countIdentifiers(text);
    const counts = new Int32Array(2 * found.size);
    let [at, length] = [0, 0];
    for (const [identifier, count] of found) {
      counts[at++] = table.numberOf(identifier);
      counts[at++] = count;
      length += count;
    }
    return { table, counts, length };
  };
}

const TITLE_WEIGHT = 2;

const HINT_WEIGHT = 1;

const MAX_TEXT_LENGTH = 200_000;

/** Of each text of an issue: one with more of them holds a log, and finding their stems would take its time. */
const MAX_IDENTIFIERS = 800;

const anyName = (kind: string) => readWords("common-names", kind).flat().join("|");

/** Versions (`v0.163.0-4a1b2c3+extended`), platforms (`windows/amd64`) and hashes: their letters are no words. */
const NO_WORDS = either(
  "g",
  /(?<![\w./-])v?\d+\.\d[\w.+-]*/,
  /\b(?=[a-f]*\d)(?=\d*[a-f])[\da-f]{7,64}\b/,
  new RegExp(String.raw`(?<![\w./-])(?:${anyName("system")})/(?:${anyName("machine")})\b`),
);

/**
 * The search terms of an issue with their weights: the same tokens as in files, without stop words; the title counts
 * twice, and how often a term is repeated counts by its logarithm, so that a pasted log cannot drown the question.
 */
export function issueTerms(issue: IssueText): Map<string, number> {
  const tallies = new Map<string, number>();
  const count = (text: string, weight: number) => {
    const found = countIdentifiers(withJoined(withoutStarts(text.slice(0, MAX_TEXT_LENGTH)).replace(NO_WORDS, " ")));
    for (const [identifier, times] of [...found].slice(0, MAX_IDENTIFIERS)) {
      if (STOP_WORDS.has(identifier.toLowerCase())) continue;
      for (const term of splitIdentifier(identifier)) tallies.set(term, (tallies.get(term) ?? 0) + weight * times);
    }
  };
  count(issue.title, TITLE_WEIGHT);
  count(issue.body, 1);
  for (const hint of issue.hints ?? []) count(hint, HINT_WEIGHT);
  return new Map([...tallies].map(([term, tally]) => [term, 1 + Math.log(tally)]));
}
