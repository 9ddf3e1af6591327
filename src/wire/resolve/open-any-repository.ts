import path from "node:path";
import { fileURLToPath } from "node:url";
import { createOpenLocalRepository } from "../../adapters/git/create-open-local-repository.ts";
import { createOpenRepository } from "../../adapters/git/create-open-repository.ts";
import { findLocalCommit } from "../../adapters/git/find-local-commit.ts";
import { findRemoteCommit } from "../../adapters/git/find-remote-commit.ts";
import { gitEnvironment } from "../../config/environment/config.ts";
import { MagisError } from "../../model/magis-error.ts";
import type { OpenRepository } from "../../ports/repository.ts";
import type { LocalJob } from "../../workflow/dry-run/local-job.ts";
import type { ResolveWork } from "./resolve-work.ts";

interface AnyRepository {
  /** the last part of its address */
  readonly name: string;
  readonly source: LocalJob["source"];
  readonly openRepository: OpenRepository;
  /** its working copy holds changes that are in no commit */
  readonly changed: boolean;
}

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/**
 * Finds the commit at `revision`, or HEAD, of a repository that is named by a directory or a URL (https, file; http on
 * this machine only). Throws what `findLocalCommit` and `findRemoteCommit` throw, GIT_UNREACHABLE for other addresses.
 */
export async function openAnyRepository(
  address: string,
  revision: string | undefined,
  { config, signal }: Pick<ResolveWork, "config" | "signal">,
): Promise<AnyRepository> {
  const url = /^[a-z][a-z\d+.-]+:\/\//i.test(address) && URL.canParse(address) ? new URL(address) : undefined;
  if (!url && /^[\w.-]+@[\w.-]+:/.test(address)) throw unreachable("an address for SSH");
  if (!url || url.protocol === "file:") {
    const directory = path.resolve(url ? fileURLToPath(url) : address);
    const environment = gitEnvironment();
    const { commit, changed } = await findLocalCommit(directory, revision, { environment, signal });
    const openRepository = createOpenLocalRepository(environment, config.clone);
    return { name: nameOf(directory), source: { url: directory, commit }, openRepository, changed };
  }
  const isOpen = url.protocol === "http:" && !LOOPBACK.test(url.hostname) && url.origin !== config.github.webUrl;
  if (isOpen || !/^https?:$/.test(url.protocol)) throw unreachable(`an address for ${url.protocol.slice(0, -1)}`);
  const { token, webUrl } = config.github;
  // The token is GitHub's: no other host sees it.
  const own = token !== undefined && url.origin === new URL(webUrl).origin ? { token: async () => token } : {};
  const commit = await findRemoteCommit({ url: address, signal, ...own }, revision, config.clone);
  const openRepository = createOpenRepository(config.clone);
  return { name: nameOf(url.pathname), source: { url: address, commit, ...own }, openRepository, changed: false };
}

const nameOf = (address: string) => path.posix.basename(address.replaceAll("\\", "/"), ".git") || "repository";

function unreachable(what: string): MagisError {
  const message = `--repo takes a directory or an https address, not ${what}: clone it, and name the directory.`;
  return new MagisError("GIT_UNREACHABLE", message);
}
