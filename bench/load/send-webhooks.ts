import { createHmac, randomUUID } from "node:crypto";
import { Agent, request } from "node:http";

/** How requests were answered, in milliseconds. */
export interface Answers {
  times: number[];
  /** why each of the others failed: its status, or the error's code */
  failed: string[];
}

export interface WebhookLoad {
  webhooks: Answers;
  /** `/healthz` of the bots, in the same seconds */
  health: Answers;
  /** an empty handler in a process of its own, with the same bodies */
  empty: Answers;
  /** webhooks that report a comment */
  comments: number;
}

export interface LoadOptions {
  bots: readonly string[];
  empty: string;
  secret: string;
  installations: number;
  /** webhooks a second */
  rate: number;
  seconds: number;
  /** the number of the first webhook: no two may report the same event */
  first: number;
}

/** One in this many webhooks is also sent to the empty handler, and as often `/healthz` is asked. */
const PROBE_EVERY = 10;

/** One in this many is a comment, whose issue the bot looks up; the others are checks on people's branches. */
const COMMENT_EVERY = 5;

/** More than this many unanswered requests, and the bench stops sending for a moment: memory stays bounded. */
const MOST_UNDER_WAY = 2_000;

/** Sends `rate` webhooks a second, of all installations in turn, to the bots in turn. Resolves when all are answered. */
export async function sendWebhooks(options: LoadOptions): Promise<WebhookLoad> {
  const { bots, empty, secret, rate, seconds } = options;
  const agent = new Agent({ keepAlive: true, maxSockets: 256 });
  const load = { webhooks: answers(), health: answers(), empty: answers(), comments: 0 };
  const total = rate * seconds;
  const from = performance.now();
  let sent = 0;
  const underWay = new Set<Promise<void>>();
  const track = (one: Promise<void>) => {
    underWay.add(one);
    void one.finally(() => underWay.delete(one));
  };
  await new Promise<void>((resolve) => {
    const timer = setInterval(() => {
      const due = Math.min(total, Math.floor(((performance.now() - from) / 1_000) * rate));
      for (; sent < due && underWay.size < MOST_UNDER_WAY; sent++) {
        const bot = bots[sent % bots.length] ?? "";
        const isComment = sent % COMMENT_EVERY === 0;
        const event = isComment ? "issue_comment" : "check_run";
        const number = options.first + sent;
        const about = envelope(number, options.installations);
        const text = JSON.stringify({ ...(isComment ? commentBy(number) : checkOf(number)), ...about });
        if (isComment) load.comments += 1;
        track(post(agent, `${bot}/api/github/webhooks`, { event, text, secret }, load.webhooks));
        if (sent % PROBE_EVERY !== 0) continue;
        track(post(agent, empty, { event, text, secret }, load.empty));
        track(timed(agent, `${bot}/healthz`, {}, undefined, load.health));
      }
      if (sent < total) return;
      clearInterval(timer);
      resolve();
    }, 5);
  });
  await Promise.all(underWay);
  agent.destroy();
  return load;
}

const answers = (): Answers => ({ times: [], failed: [] });

interface Body {
  event: string;
  text: string;
  secret: string;
}

function post(agent: Agent, url: string, { event, text, secret }: Body, into: Answers): Promise<void> {
  const signature = createHmac("sha256", secret).update(text).digest("hex");
  const headers = {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(text),
    "user-agent": "GitHub-Hookshot/bench",
    "x-github-delivery": randomUUID(),
    "x-github-event": event,
    "x-hub-signature-256": `sha256=${signature}`,
  };
  return timed(agent, url, headers, text, into);
}

/** Sends a request and notes how long its answer took. Never rejects. */
function timed(
  agent: Agent,
  url: string,
  headers: Readonly<Record<string, string | number>>,
  text: string | undefined,
  into: Answers,
): Promise<void> {
  return new Promise((resolve) => {
    const from = performance.now();
    const fail = (reason: string) => {
      into.failed.push(reason);
      resolve();
    };
    const asked = request(url, { method: text === undefined ? "GET" : "POST", agent, headers, timeout: 10_000 });
    asked.once("error", (error: NodeJS.ErrnoException) => fail(error.code ?? error.message));
    asked.once("timeout", () => asked.destroy(new Error("no answer")));
    asked.once("response", (response) => {
      response.resume();
      response.once("end", () => {
        if (response.statusCode !== 200) return fail(String(response.statusCode));
        into.times.push(performance.now() - from);
        resolve();
      });
    });
    asked.end(text);
  });
}

/** As long as GitHub's usual payloads. */
const FILLER = Object.fromEntries(
  Array.from({ length: 80 }, (_, at) => [`part_${at}_url`, `https://api.github.com/repos/owner/name/part/${at}{/id}`]),
);

const FIRST_INSTALLATION = 10_000;

function envelope(number: number, installations: number) {
  const id = FIRST_INSTALLATION + (number % installations);
  const owner = { login: `owner-${id}`, id, type: "Organization", url: `https://api.github.com/users/owner-${id}` };
  return {
    installation: { id },
    repository: { id, name: "name", full_name: `owner-${id}/name`, private: true, owner, ...FILLER },
    sender: { login: "somebody", id: 1, type: "User" },
  };
}

const AT = "2026-01-02T03:04:05Z";

function checkOf(number: number): object {
  const sha = number.toString(16).padStart(40, "0");
  const suite = { id: number, head_branch: "somebody/feature", head_sha: sha, updated_at: AT };
  const run = { id: number, head_sha: sha, name: "build", status: "completed", conclusion: "success" };
  const check_run = { ...run, completed_at: AT, output: { summary: "" }, check_suite: suite };
  return { action: "completed", check_run };
}

function commentBy(number: number): object {
  const user = { login: "somebody", id: 1, type: "User" };
  const times = { created_at: AT, updated_at: AT };
  const issue = { number: 1 + (number % 50), title: "Something", body: "Words.", state: "open", locked: false, user };
  const comment = { id: 1_000_000 + number, body: `I see this, too, on version ${number}.`, user, ...times };
  return { action: "created", issue: { ...issue, labels: [], ...times }, comment };
}
