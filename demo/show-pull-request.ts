import type { PullRow } from "../test/world/create-reader.ts";
import type { World } from "../test/world/world-handle.ts";

/** Prints a pull request as a person would read it: title, body, commit, diff, reviews, threads with replies. */
export async function showPullRequest(world: World, pull: PullRow, say: (text?: string) => void): Promise<void> {
  say(`${pull.title}${pull.draft ? "  [draft]" : ""}`);
  say(`${pull.user.login} wants to merge ${pull.head.ref} into ${pull.base.ref}\n`);
  say(visible(pull.body ?? ""));
  say(`\n--- commit ---\n${await world.git("log", "-1", "--format=%an: %B", pull.head.sha)}`);
  say(`--- diff ---\n${await world.diff(pull.number)}`);
  // GitHub keeps an empty review for every reply.
  for (const review of world.reviews(pull.number).filter(({ body }) => body !== ""))
    say(`--- review by ${review.user.login} ---\n${visible(review.body)}\n`);
  for (const { path, line, resolved, comments } of world.threads(pull.number)) {
    say(`--- thread on ${path}${line === null ? "" : `:${line}`} (${resolved ? "resolved" : "open"}) ---`);
    for (const comment of comments) say(`${comment.user.login}: ${visible(comment.body)}\n`);
  }
}

const visible = (text: string) => text.replace(/<!--[\s\S]*?-->\n?/g, "");
