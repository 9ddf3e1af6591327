import type { JudgedFile } from "../../data/run-record.ts";
import type { LocateInput, Pool } from "../../run/strategy.ts";
import { plainNote } from "../../text/shown-text.ts";
import { createLeanCustodian, type Shortlist } from "./agents.ts";
import {
  openRepositoryView,
  type RepositoryView,
  seenIn,
  type ViewedFile,
  viewForCustodian,
  whyNot,
} from "./view/view.ts";

/** The prompt asks for thirty words. */
const MAX_SUMMARY = 500;

/** Files that the map may add to the pool. */
const MAX_ADDED = 5;

/** How often the Custodian may look beyond the map, and how many characters it may gather. */
const TURNS = 1;

const ROOM = 6_000;

const SOURCES: Readonly<Record<ViewedFile["kind"], string>> = {
  summary: "remembered",
  change: "updated (P1)",
  outline: "written (P2)",
};

/**
 * Algorithm 1, lines 3 to 18, in one call: the Custodian reads the remembered summaries, the outlines of other files
 * and the map. It answers with verdicts, the missing summaries (which are remembered), and files that the search
 * missed.
 */
export async function shortlistTogether(input: LocateInput, pool: Pool): Promise<readonly JudgedFile[]> {
  const { files, map } = pool;
  if (files.length === 0 && map === "") return [];
  const views = await viewForCustodian(input, files);
  const repositoryView = await openRepositoryView(input);
  const seen = seenIn(views.map(({ shown: { path, view, matches } }) => ({ path, content: `${view}\n${matches}` })));
  const toolset = repositoryView.toolset(TURNS, { room: ROOM, rare: true, seen });
  const answer = await createLeanCustodian(input.prompts).shortlist(
    input.issue,
    views.map(({ shown }) => shown),
    { map, toolset, faultOf: (path) => whyUnknown(path, pool, repositoryView) },
  );
  const judged = views.map(({ file, shown: { kind }, summary }) => {
    const verdict = answer.files.find(({ path }) => path === file.path);
    const said = kind === "summary" ? summary : plainNote(verdict?.summary ?? "", MAX_SUMMARY) || summary;
    return {
      path: file.path,
      blob: file.blob,
      score: file.score,
      reasons: file.reasons,
      summary: said,
      source: SOURCES[kind],
      // A file left out counts as "no": that is not worth failing the run.
      relevant: (verdict?.verdict ?? "no") !== "no",
      reason: verdict?.reason ?? "",
      names: verdict?.names ?? [],
      use: verdict?.verdict === "read" ? ("read" as const) : undefined,
    };
  });
  if (!input.settings.ablate.includes("memory")) {
    for (const { path, blob, summary } of judged) {
      if (summary !== "") await input.memory.update(input.request.repository, { path, blob, summary });
    }
  }
  return [...judged, ...added(answer, pool)];
}

/** Why the Custodian cannot name a file; undefined for one that was searched. */
function whyUnknown(path: string, { files, known, whyNot: whyUnread }: Pool, view: RepositoryView): string | undefined {
  if (known(path) || files.some((file) => file.path === path)) return undefined;
  const isLeftOut = view.leftOut.some((one) => one.path === path);
  return (isLeftOut ? undefined : whyUnread?.(path)) ?? whyNot(path, view);
}

/** The files that the Custodian names from the map. */
function added({ more }: Shortlist, { files, known }: Pool): JudgedFile[] {
  const named = new Map(more.map((one) => [one.path, one]));
  return [...named.values()]
    .flatMap(({ path, reason, names, verdict }) => {
      const file = files.some((one) => one.path === path) ? undefined : known(path);
      if (!file) return [];
      const reasons = [`named from the map: ${reason}`];
      const found = { score: 0, reasons, summary: "", source: "named from the map" as const, relevant: true, reason };
      return [{ path, blob: file.blob, ...found, names, use: verdict === "read" ? verdict : undefined }];
    })
    .slice(0, MAX_ADDED);
}
