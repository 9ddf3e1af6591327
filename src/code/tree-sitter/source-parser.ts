import { createHash } from "node:crypto";
import { extname } from "node:path";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { LRUCache } from "lru-cache";
import { nextTurn } from "../../text/next-turn.ts";
import type { DisturbedLine, ImportedModule, SourceParser, SourceSymbol, SyntaxCheck } from "../source-parser.ts";
import { formatOf, grammarOf } from "./languages.ts";
import type { WorkerReply } from "./parser-worker.ts";
import type { SourceAnswer, SourceRequest } from "./read-source.ts";

/** Longer texts are data or generated. In UTF-16 units. */
const MAX_TEXT_LENGTH = 16 * 1024 * 1024;

const LIMITS: WorkerLimits = {
  milliseconds: 5_000,
  millisecondsPerMegabyte: 5_000,
  keptBytes: 96 * 1024 * 1024,
  idleMilliseconds: 10_000,
};

const MEGABYTE = 1024 * 1024;

type Result = { answer: SourceAnswer } | { failed: string };

/**
 * The grammars of tree-sitter (Python, JavaScript, TypeScript, TSX, Go, Java, Ruby, Rust, C, C++, C# and PHP), and the
 * readers of JSON, YAML and TOML, in a worker thread, so that no text blocks this one. A text fails when it is over 16
 * MB, or its parser breaks, takes more than five seconds a megabyte, or runs out of memory; the worker is then
 * restarted. Keeps answers about the latest texts. Verbs reject only when no worker can be started.
 */
export function createSourceParser(limits: Partial<WorkerLimits> = {}): SourceParser {
  const worker = new GuardedWorker({ ...LIMITS, ...limits });
  /** by `keyOf` their requests */
  const hopeless = new LRUCache<string, string>({ max: MAX_HOPELESS });
  const kept = new LRUCache<string, Promise<SourceAnswer>>({ maxSize: MAX_KEPT });
  const ask = async (request: SourceRequest): Promise<Result> => {
    const length = Math.max(request.text.length, request.before?.length ?? 0);
    if (length > MAX_TEXT_LENGTH) return { failed: "it is longer than 16 MB" };
    // Making a large text and hashing it are a turn each.
    if (length > MEGABYTE) await nextTurn();
    // Nearly always none is hopeless, and no text need be hashed.
    const known = hopeless.size > 0 ? hopeless.get(keyOf(request)) : undefined;
    if (known !== undefined) return { failed: known };
    let outcome = await worker.ask(request);
    // The worker may have broken because of earlier texts: a new one is sure.
    if (outcome.kind === "fault" && !outcome.sure) outcome = await worker.ask(request);
    if (outcome.kind === "answer") return { answer: outcome.answer };
    hopeless.set(keyOf(request), outcome.reason);
    return { failed: outcome.reason };
  };
  const read = async (request: SourceRequest): Promise<SourceAnswer> => {
    const result = await ask(request);
    return "failed" in result ? undefined : result.answer;
  };
  const look = async (request: SourceRequest): Promise<SourceAnswer> => {
    if (grammarOf(request.path) === undefined) return undefined;
    // An edit is compared once.
    if (request.verb === "disturbed") return read(request);
    // C and its headers are read differently.
    const key = `${request.path}\0${keyOf(request)}`;
    const known = kept.get(key);
    if (known) return known;
    const answer = read(request);
    kept.set(key, answer, { size: request.text.length + 1 });
    // Ask again where no worker could be started.
    answer.catch(() => kept.delete(key));
    return answer;
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
    disturbed: async (path, { before, after, edits }) =>
      (await look({ verb: "disturbed", path, text: after, before, edits })) as readonly DisturbedLine[] | undefined,
  };
}

function keyOf({ verb, path, text, name = "", before = "" }: SourceRequest): string {
  const language = grammarOf(path) ?? formatOf(path);
  return createHash("sha256").update(`${verb}\0${language}\0${name}\0${text}\0${before}`).digest("base64");
}

/** Characters of all texts whose answers are kept: a run asks about the same file in each of its phases. */
const MAX_KEPT = 16 * 1024 * 1024;

/** Texts that broke a parser, or took it too long, so that asking in every phase costs those seconds once. */
const MAX_HOPELESS = 200;

interface WorkerLimits {
  /** for one request; each megabyte beyond the first adds the second value */
  milliseconds: number;
  millisecondsPerMegabyte: number;
  /** end the worker after its answer when its grammars hold more bytes */
  keptBytes: number;
  /** end a worker that was idle for so long, to free its memory */
  idleMilliseconds: number;
}

type Outcome =
  | { kind: "answer"; answer: SourceAnswer }
  /** `sure`: this request broke the worker, not one before it */
  | { kind: "fault"; reason: string; sure: boolean };

/** For V8; `grammar.ts` bounds the grammars' memory. Node ends a worker that needs more. */
const RESOURCES = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 16 };

/** Loading takes some hundred milliseconds, and longer on a busy machine. */
const START_MS = 60_000;

/** The built file when built, else the source, which Node (from 22.18) and our tests load directly. */
const ENTRY = new URL(`./parser-worker${extname(fileURLToPath(import.meta.url))}`, import.meta.url);

/** What Node was started with does not concern the parsers; a source may need it to be loaded. */
const FLAGS = ENTRY.pathname.endsWith(".js") ? [] : undefined;

/**
 * A worker thread that answers one request at a time, in order. It starts when first needed and after each fault, and
 * does not keep an idle process alive.
 */
class GuardedWorker {
  readonly #limits: WorkerLimits;
  #worker: Worker | undefined;
  /** requests taken by the current worker */
  #taken = 0;
  #idle: NodeJS.Timeout | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(limits: WorkerLimits) {
    this.#limits = limits;
  }

  /** Rejects only when no worker can start: an incomplete installation, a machine without memory. */
  ask(request: SourceRequest): Promise<Outcome> {
    const outcome = this.#last.then(() => this.#perform(request));
    this.#last = outcome.catch(() => undefined);
    return outcome;
  }

  async #perform(request: SourceRequest): Promise<Outcome> {
    clearTimeout(this.#idle);
    this.#worker ??= await this.#start();
    const worker = this.#worker;
    worker.ref();
    this.#taken += 1;
    const milliseconds = timeFor(request.text, this.#limits);
    const coming = nextReply(worker, milliseconds);
    worker.postMessage(request);
    const reply = await coming;
    if (reply.kind !== "answer") {
      const sure = this.#taken === 1 || reply.kind === "late";
      await this.#end(worker);
      return { kind: "fault", reason: reasonOf(reply, { milliseconds }), sure };
    }
    if (reply.memory > this.#limits.keptBytes) await this.#end(worker);
    else this.#rest(worker);
    return { kind: "answer", answer: reply.answer };
  }

  async #start(): Promise<Worker> {
    const worker = new Worker(ENTRY, { resourceLimits: RESOURCES, env: {}, execArgv: FLAGS, name: "magis-parser" });
    // Between requests nobody waits for a reply: the next one then starts a worker.
    worker.on("error", () => this.#forget(worker));
    worker.on("exit", () => this.#forget(worker));
    const reply = await nextReply(worker, START_MS);
    if (reply.kind !== "ready") {
      await worker.terminate();
      throw new Error(`The parsers could not be started: ${reasonOf(reply, { milliseconds: START_MS })}.`);
    }
    this.#taken = 0;
    return worker;
  }

  #rest(worker: Worker): void {
    worker.unref();
    this.#idle = setTimeout(() => void this.#end(worker), this.#limits.idleMilliseconds);
    this.#idle.unref();
  }

  async #end(worker: Worker): Promise<void> {
    this.#forget(worker);
    await worker.terminate();
  }

  #forget(worker: Worker): void {
    if (this.#worker === worker) this.#worker = undefined;
  }
}

const timeFor = (text: string, { milliseconds, millisecondsPerMegabyte }: WorkerLimits): number =>
  milliseconds + Math.max(0, Math.ceil(text.length / MEGABYTE) - 1) * millisecondsPerMegabyte;

type Reply = WorkerReply | { kind: "late" };

/** The worker's next message, or its end; never rejects. */
function nextReply(worker: Worker, milliseconds: number): Promise<Reply> {
  return new Promise((resolve) => {
    const onError = (error: Error) => settle({ kind: "fault", reason: error.message });
    const onExit = () => settle({ kind: "fault", reason: "its thread ended" });
    const timer = setTimeout(() => settle({ kind: "late" }), milliseconds);
    const settle = (reply: Reply): void => {
      clearTimeout(timer);
      worker.off("message", settle).off("error", onError).off("exit", onExit);
      resolve(reply);
    };
    worker.on("message", settle).on("error", onError).on("exit", onExit);
  });
}

function reasonOf(reply: Reply, { milliseconds }: Pick<WorkerLimits, "milliseconds">): string {
  if (reply.kind === "late") return `its parser takes longer than ${milliseconds / 1000} seconds`;
  return reply.kind === "fault" ? `its parser fell (${reply.reason})` : "its parser is out of step";
}
