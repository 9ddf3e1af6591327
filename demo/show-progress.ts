import type { World } from "../test/world/world-handle.ts";

/** Shows the lines of the tracking comment as they appear, until it tells the end of the run; gives the comment. */
export async function showProgress(
  world: World,
  issue: number,
  ms: number,
  say: (line: string) => void,
): Promise<string> {
  const shown = new Set<string>();
  let body = "";
  await world.until(
    async () => {
      body = (await world.issueComments(issue)).find(({ user }) => user.type === "Bot")?.body ?? "";
      for (const line of body.split("\n").filter((one) => /^- \[|^\| t\d/.test(one))) {
        if (shown.has(line)) continue;
        shown.add(line);
        say(line);
      }
      return body !== "" && !/is working on this issue|waits for its turn/.test(body);
    },
    { what: "the end of the run in the tracking comment", ms },
  );
  return body;
}
