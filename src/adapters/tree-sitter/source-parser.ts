import { createHash } from "node:crypto";
import type { ImportedModule, SourceParser, SourceSpan, SourceSymbol, SyntaxCheck } from "../../ports/source-parser.ts";
import { GuardedWorker, type WorkerLimits } from "./guarded-worker.ts";
import { formatOf, grammarOf } from "./languages.ts";
import type { SourceAnswer, SourceRequest } from "./read-source.ts";

/** Longer texts are data or generated. In UTF-16 units. */
const MAX_TEXT_LENGTH = 1_000_000;

const LIMITS: WorkerLimits = { milliseconds: 5_000, keptBytes: 96 * 1024 * 1024, idleMilliseconds: 10_000 };

/** What a request came to: an answer, or the reason why there is none. */
type Result = { readonly answer: SourceAnswer } | { readonly failed: string };

/**
 * The grammars of tree-sitter (Python, JavaScript, TypeScript, TSX, Go, Java, Ruby, Rust, C, C++, C# and PHP), and the
 * readers of JSON, YAML and TOML, in a worker thread: no text holds this one up. A text over 1 MB, and one for which a
 * parser takes longer than five seconds or more memory than it has, or on which it breaks, is told as failed; the worker
 * is then started anew for the next. Verbs reject only when no worker can be started.
 */
export function createSourceParser(limits: Partial<WorkerLimits> = {}): SourceParser {
  const worker = new GuardedWorker({ ...LIMITS, ...limits });
  const hopeless = new HopelessTexts();
  const ask = async (request: SourceRequest): Promise<Result> => {
    if (request.text.length > MAX_TEXT_LENGTH) return { failed: "it is longer than 1 MB" };
    const key = keyOf(request);
    const known = hopeless.reasonOf(key);
    if (known !== undefined) return { failed: known };
    let outcome = await worker.ask(request);
    // A worker that has read other texts may have fallen over what those left behind: a new one is sure.
    if (outcome.kind === "fault" && !outcome.sure) outcome = await worker.ask(request);
    if (outcome.kind === "answer") return { answer: outcome.answer };
    hopeless.add(key, outcome.reason);
    return { failed: outcome.reason };
  };
  const look = async (request: SourceRequest): Promise<SourceAnswer> => {
    if (grammarOf(request.path) === undefined) return undefined;
    const result = await ask(request);
    return "failed" in result ? undefined : result.answer;
  };
  return {
    async faults(path, text) {
      if (grammarOf(path) === undefined && formatOf(path) === undefined) return { kind: "unknown" };
      const result = await ask({ verb: "faults", path, text });
      return "failed" in result ? { kind: "failed", reason: result.failed } : (result.answer as SyntaxCheck);
    },
    symbols: async (path, text) => (await look({ verb: "symbols", path, text })) as readonly SourceSymbol[] | undefined,
    imports: async (path, text) =>
      (await look({ verb: "imports", path, text })) as readonly ImportedModule[] | undefined,
    references: async (path, text, name) =>
      (await look({ verb: "references", path, text, name })) as readonly number[] | undefined,
    spans: async (path, text) => (await look({ verb: "spans", path, text })) as readonly SourceSpan[] | undefined,
  };
}

function keyOf({ verb, path, text, name = "" }: SourceRequest): string {
  const language = grammarOf(path) ?? formatOf(path);
  return createHash("sha256").update(`${verb}\0${language}\0${name}\0${text}`).digest("base64");
}

const MAX_HOPELESS = 200;

/** Texts that a parser fell over, so that one that is asked about in every phase costs its seconds once. */
class HopelessTexts {
  readonly #reasons = new Map<string, string>();

  reasonOf(key: string): string | undefined {
    return this.#reasons.get(key);
  }

  add(key: string, reason: string): void {
    const [oldest] = this.#reasons.keys();
    if (this.#reasons.size >= MAX_HOPELESS && oldest !== undefined) this.#reasons.delete(oldest);
    this.#reasons.set(key, reason);
  }
}
