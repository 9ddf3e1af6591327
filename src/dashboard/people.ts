import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { SignIn } from "../github/sign-in.ts";
import type { Visitor } from "./gate.ts";

/** Who somebody is and what they may see, by their token. */
export interface People {
  /** Undefined when the token is no longer valid. Throws HOST_… when GitHub does not answer. */
  visitor(token: string): Promise<Visitor | undefined>;
}

/** How long GitHub's answer of what somebody may see holds, from the moment it was asked. */
export const KEPT_MS = 5 * 60_000;

const MOST = 1_000;

/**
 * Asks GitHub whose the token is at each page, so that whoever has signed out is out on every machine, and keeps what
 * they may see for five minutes at most. An answer that does not come shows nothing.
 * @param operators logins of those who see all
 * @param now milliseconds of a steady clock
 */
export function createPeople(
  signIn: Pick<SignIn, "login" | "repositories">,
  operators: readonly string[],
  now: () => number = () => performance.now(),
): People {
  const all = new Set(operators.map((login) => login.toLowerCase()));
  const known = new LRUCache<string, { asked: number; answer: ReturnType<SignIn["repositories"]> }>({
    max: MOST,
  });

  function repositories(token: string): ReturnType<SignIn["repositories"]> {
    const key = createHash("sha256").update(token).digest("hex");
    const kept = known.get(key);
    if (kept && now() - kept.asked < KEPT_MS) return kept.answer;
    const one = { asked: now(), answer: signIn.repositories(token) };
    known.set(key, one);
    const drop = () => {
      if (known.peek(key) === one) known.delete(key);
    };
    one.answer.then((visible) => visible ?? drop(), drop);
    return one.answer;
  }

  return {
    async visitor(token) {
      const login = await signIn.login(token);
      if (login === undefined) return undefined;
      if (all.has(login.toLowerCase())) return { visible: "all", isOperator: true, login };
      const visible = await repositories(token);
      return visible && { visible, isOperator: false, login };
    },
  };
}
