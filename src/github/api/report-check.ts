import type { CheckReport } from "../../ports/check-api.ts";
import { attempt } from "./attempt.ts";
import { fitBody } from "./fit-body.ts";
import { fitTitle } from "./fit-title.ts";
import type { GithubRepository } from "./github-repository.ts";

/** One less than in a comment. */
const MAX_SUMMARY_LENGTH = 65_535;

/**
 * Makes the app's check run of that name on `head`, or brings the one that is there up to date: never a second one.
 * Only apps may make check runs: without one nothing is done.
 */
export async function reportCheck(repository: GithubRepository, head: string, report: CheckReport): Promise<void> {
  const { client, appId, owner, repo } = repository;
  if (appId === undefined) return;
  const { checks } = client.rest;
  const { name, status, conclusion = "neutral" } = report;
  return attempt(`report the check ${name}`, async () => {
    const shown = {
      ...{ owner, repo, name },
      output: { title: fitTitle(report.title), summary: fitBody(report.summary, MAX_SUMMARY_LENGTH) },
    };
    const id = await findOwn(repository, appId, head, name);
    if (status === "completed") {
      const ended = { ...shown, status, conclusion };
      await (id === undefined
        ? checks.create({ ...ended, head_sha: head })
        : checks.update({ ...ended, check_run_id: id }));
    } else {
      const going = { ...shown, status };
      await (id === undefined
        ? checks.create({ ...going, head_sha: head })
        : checks.update({ ...going, check_run_id: id }));
    }
  });
}

async function findOwn(
  { client, owner, repo }: GithubRepository,
  appId: number,
  head: string,
  name: string,
): Promise<number | undefined> {
  const query = { owner, repo, ref: head, check_name: name, app_id: appId, filter: "latest", per_page: 100 } as const;
  const { data } = await client.rest.checks.listForRef(query);
  return data.check_runs.find((run) => run.app?.id === appId && run.name === name)?.id;
}
