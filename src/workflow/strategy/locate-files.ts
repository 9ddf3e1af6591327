import type { Candidate } from "../../model/candidate.ts";
import { indexTree } from "../../search/index-tree.ts";
import { rankFiles } from "../../search/rank-files.ts";
import { repositoryMap } from "../../search/repository-map.ts";
import type { JudgedFile, LocateInput } from "../run/locating.ts";
import { shortlistTogether } from "./lean/shortlist-together.ts";
import { createCustodian } from "./paper/custodian.ts";
import { shortlistOneByOne } from "./paper/shortlist-one-by-one.ts";

/** Characters of the map, about a quarter as many tokens. */
const MAP_BUDGET = 3_600;
/** Files the map is made around: beyond them only names and folders are shown. */
const MAPPED_FILES = 400;
/** How many of the best-ranked files stay when the Custodian drops them all: a run does not die of an over-eager filter. */
const KEPT_AT_LEAST = 3;

/**
 * Algorithm 1, locating: ranks the repository against the issue (BM25, and what the issue names), then lets the Custodian
 * judge the best of it: in the paper's form a file at a time (P1, P2, P3), else all in one call, with a map of the
 * repository for what the search has missed. Gives the candidates in ranked order.
 */
export async function locateFiles(deps: LocateInput): Promise<readonly Candidate[]> {
  const { issue, repository, settings, tracker, record } = deps;
  const tree = await indexTree({
    entries: [...repository.entries.values()].filter(({ path }) => !deps.policy.ignored(path)),
    readBlob: (blob) => repository.readBlob(blob),
    cache: deps.tokenCache,
  });
  const { files } = tree;
  const hints = [issue.hint, ...issue.discussion.map(({ body }) => body)].filter((text) => text !== "");
  const text = { title: issue.title, body: issue.body, hints };
  const ranked = rankFiles({ files, issue: text, limit: Math.max(MAPPED_FILES, settings.candidates) });
  const pool = ranked.slice(0, settings.candidates);
  await tracker.detail(`${files.length} of ${repository.entries.size} files searched`);

  const custodian = createCustodian(deps.prompts);
  const paths = ranked.map(({ path }) => path);
  const mapped = !settings.ablate.includes("map") && files.length > pool.length;
  const judged =
    settings.profile === "paper"
      ? await shortlistOneByOne(deps, custodian, pool)
      : await shortlistTogether(deps, custodian, {
          pool,
          map: mapped ? repositoryMap(files, paths, MAP_BUDGET) : "",
          known: (path) => files.find((file) => file.path === path),
        });
  const kept = keep(judged);
  await record("candidates", {
    judged,
    ...(kept.note !== undefined && { note: kept.note }),
  });
  await tracker.detail(`${files.length} files searched, ${judged.length} looked at, ${kept.files.length} kept`);
  return kept.files.map(({ path, blob, score, reasons, summary, names, use }) => ({
    ...{ path, blob, score, reasons, summary },
    ...(names && names.length > 0 && { names }),
    ...(use && { use }),
  }));
}

function keep(judged: readonly JudgedFile[]): { readonly files: readonly JudgedFile[]; readonly note?: string } {
  const relevant = judged.filter((file) => file.relevant);
  if (relevant.length > 0 || judged.length === 0) return { files: relevant };
  const note = "The Custodian judged no file to be relevant; the best-ranked were kept.";
  return { files: judged.slice(0, KEPT_AT_LEAST), note };
}
