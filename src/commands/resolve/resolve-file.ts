import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { IssueSnapshot } from "../../data/discussion.ts";
import { MagisError } from "../../data/error.ts";
import { fileFault } from "../../data/file-faults.ts";
import { createOpenLocalRepository, findLocalCommit } from "../../git/open-local-repository.ts";
import { createOpenRepository, findRemoteCommit } from "../../git/open-repository.ts";
import type { OpenRepository } from "../../git/repository.ts";
import { fitIssue } from "../../run/snapshot-issue.ts";
import { gitEnvironment } from "../../settings/environment/read-config.ts";
import { stripEscapes } from "../../text/strip-escapes.ts";
import { stripInvisible } from "../../text/visible-text.ts";
import type { LocalJob } from "../../workflow/dry-run/job.ts";
import type { FileIssue, ResolveAnswer } from "./args.ts";
import type { ResolveWork } from "./resolve-work.ts";

/** Enough to distinguish a person's runs, and short enough to type. */
const ID_BYTES = 4;

/** Resolves an issue from a file, on any repository that git can read. */
export async function resolveFile({ repository, file, text }: FileIssue, work: ResolveWork): Promise<ResolveAnswer> {
  const { args, progress } = work;
  const issue = readIssue(
    text ?? (await readText(file)),
    text === undefined ? path.basename(file) : "on standard input",
    args.options.hint ?? "",
  );
  // The files that this command reads and writes are not the person's changes.
  const own = [text === undefined ? file : undefined, args.options.output, args.options.record].filter(
    (one) => one !== undefined,
  );
  const opened = await openAnyRepository(repository, { revision: args.options.base, own }, work);
  const { name, source, openRepository, changed, directory } = opened;
  if (changed)
    progress("The working copy has uncommitted changes, which MAGIS does not see. Commit them first if they matter.");
  const job = {
    id: `${name.replace(/[^\w.-]+/g, "-")}@${randomBytes(ID_BYTES).toString("hex")}`,
    repository: { owner: "local", name, installationId: 0 },
    name: directory ?? repository,
    issue,
    source,
    requestedAt: new Date().toISOString(),
    beside: args.options["check-beside"] ?? directory,
  };
  // Report errors in issue and repository before loading the workflow.
  const { resolveLocallyAs } = await import("./resolve-work.ts");
  return resolveLocallyAs(job, { openRepository }, work);
}

async function readText(file: string): Promise<string> {
  const bytes = await readFile(file).catch((error: unknown) => {
    const message = `The issue ${file} cannot be read: ${fileFault(error)}.`;
    throw new MagisError("CONFIGURATION_INVALID", message, {}, error);
  });
  // Older shells on Windows write this encoding.
  const isWide = bytes[0] === 0xff && bytes[1] === 0xfe;
  return new TextDecoder(isWide ? "utf-16le" : "utf-8").decode(bytes);
}

function readIssue(text: string, name: string, hint: string): IssueSnapshot {
  if (text.includes("\0")) throw new MagisError("CONFIGURATION_INVALID", `The issue ${name} is not text.`);
  // The file is the user's own: all that it says counts, but nothing that he cannot see.
  const { title = "", body = "" } = parseIssueText(stripInvisible(stripEscapes(text))) ?? {};
  if (title.trim() === "" && body.trim() === "") {
    const message = `The issue ${name} is empty: write what is wrong, the title in its first line.`;
    throw new MagisError("CONFIGURATION_INVALID", message);
  }
  return fitIssue({ number: 0, author: "you", url: "", discussion: [], hint, title, body });
}

interface AnyRepository {
  /** the last segment of its address */
  name: string;
  source: LocalJob["source"];
  openRepository: OpenRepository;
  /** its directory on this machine */
  directory?: string;
  /** its working copy has uncommitted changes */
  changed: boolean;
}

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

interface Wanted {
  revision: string | undefined;
  /** files that do not count as uncommitted changes */
  own: readonly string[];
}

/**
 * Finds the commit at `revision`, or HEAD, of a repository given as a directory or a URL (https, file; http on this
 * machine only). Throws what `findLocalCommit` and `findRemoteCommit` throw, and GIT_UNREACHABLE for other addresses.
 */
async function openAnyRepository(
  address: string,
  { revision, own }: Wanted,
  { config, environment: given, signal }: Pick<ResolveWork, "config" | "environment" | "signal">,
): Promise<AnyRepository> {
  const url = /^[a-z][a-z\d+.-]+:\/\//i.test(address) && URL.canParse(address) ? new URL(address) : undefined;
  if (!url && /^[\w.-]+@[\w.-]+:/.test(address)) throw unreachable("an address for SSH");
  if (!url || url.protocol === "file:") {
    const directory = path.resolve(url ? fileURLToPath(url) : address);
    const environment = gitEnvironment(given);
    const { commit, changed } = await findLocalCommit(directory, revision, { environment, signal, own });
    const openRepository = createOpenLocalRepository(environment, config.clone);
    return { name: nameOf(directory), source: { url: directory, commit }, openRepository, changed, directory };
  }
  const isOpen = url.protocol === "http:" && !LOOPBACK.test(url.hostname) && url.origin !== config.github.webUrl;
  if (isOpen || !/^https?:$/.test(url.protocol)) throw unreachable(`an address for ${url.protocol.slice(0, -1)}`);
  const { token, webUrl } = config.github;
  // The token is for GitHub: no other host gets it.
  const access = token !== undefined && url.origin === new URL(webUrl).origin ? { token: async () => token } : {};
  const commit = await findRemoteCommit({ url: address, signal, ...access }, revision, config.clone);
  const openRepository = createOpenRepository(config.clone);
  return { name: nameOf(url.pathname), source: { url: address, commit, ...access }, openRepository, changed: false };
}

const nameOf = (address: string) => path.posix.basename(address.replaceAll("\\", "/"), ".git") || "repository";

function unreachable(what: string): MagisError {
  const message = `--repo takes a directory or an https address, not ${what}: clone it, and name the directory.`;
  return new MagisError("GIT_UNREACHABLE", message);
}

/**
 * An issue from a file: the first line, heading or not, is the title, the rest the body. Undefined without text.
 */
export function parseIssueText(text: string): { title: string; body: string } | undefined {
  const lines = text.replace(/^\uFEFF/, "").split(/\r\n|\r|\n/);
  const at = lines.findIndex((line) => line.trim() !== "");
  const first = lines[at]?.trim();
  if (first === undefined) return undefined;
  const title = first.replace(/^#{1,6}(?:\s+|$)/, "").replace(/(?<!\s)\s+#+$/, "");
  const rest = lines.slice(at + 1);
  if (/^(=+|-+)\s*$/.test(rest[0] ?? "")) rest.shift();
  return { title, body: rest.join("\n").trim() };
}
