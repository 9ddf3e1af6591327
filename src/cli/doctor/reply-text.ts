import { z } from "zod";
import type { Reply, Silence } from "./ask.ts";

const MAX_LENGTH = 200;
const said = z.union([
  z.object({ message: z.string() }).transform(({ message }) => message),
  z.object({ error: z.object({ message: z.string() }) }).transform(({ error }) => error.message),
]);

/** How an unwelcome answer is told, to follow the name of who was asked: `answered 403 (Not allowed)`. */
export function replyText(reply: Reply | Silence): string {
  if ("silence" in reply) return reply.silence;
  const message = (said.safeParse(reply.data).data ?? "").replace(/\s+/g, " ").trim().slice(0, MAX_LENGTH);
  return `answered ${reply.status}${message === "" ? "" : ` (${message})`}`;
}
