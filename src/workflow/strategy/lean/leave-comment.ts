import type { Team } from "./open-team.ts";

/** Leaves a word for the maintainer on the first changed file: what the team could not do itself. */
export function leaveComment(team: Team, round: number, body: string): void {
  const home = team.all().find(({ change }) => change !== undefined);
  if (!home) return;
  const { id, path } = home.task;
  const comment = { id: `${id}-r${round}-0`, taskId: id, round, path, body, status: "open" as const };
  team.set({ ...home, comments: [...home.comments, comment] });
}
