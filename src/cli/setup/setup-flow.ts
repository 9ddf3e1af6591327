import { randomBytes, timingSafeEqual } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { MagisError } from "../../model/error.ts";
import type { RepositoryId } from "../../model/run-request.ts";
import { repositoryName } from "../../model/run-request.ts";
import type { AppRegistration, NewApp } from "../../ports/app-registration.ts";
import { endPage, faultPage, finishPage, handOnPage, installPage, showPage, startPage } from "./setup-pages.ts";

export interface SetupOptions {
  readonly registration: AppRegistration;
  /** the manifest of app.yml, but for its addresses */
  readonly manifest: Readonly<Record<string, unknown>>;
  /** the host's own address, `https://github.com` */
  readonly webUrl: string;
  /** the organisation that the app is to belong to; absent: whoever registers it */
  readonly organisation?: string | undefined;
  /** the address at which the host reaches the bot, if it is known */
  readonly url?: string | undefined;
  readonly webhookPath: string;
  readonly label: string;
  readonly needsKey: boolean;
  /** Opens a channel that passes webhooks on to a machine without a public address; gives its address. */
  openChannel(): Promise<string>;
  /** Writes what was given where the bot finds it; gives the names of the files. */
  keep(values: Readonly<Record<string, string>>): Promise<readonly string[]>;
  /** Looks whether all of it works; gives what to show. */
  examine(): Promise<string>;
  readonly next: string;
}

type Step =
  | { readonly name: "start"; readonly fault?: string }
  | { readonly name: "install"; readonly app: NewApp; readonly files: readonly string[] }
  | {
      readonly name: "finish";
      readonly app: NewApp;
      readonly repositories: readonly RepositoryId[];
      readonly fault?: string;
    }
  | { readonly name: "end"; readonly report: string };

const MAX_FORM_BYTES = 64 * 1024;

/** Where the registration stands, and what each page and form does to it. */
export class SetupFlow {
  readonly done: Promise<string>;
  #finished: (report: string) => void = () => undefined;
  #step: Step = { name: "start" };

  readonly #options: SetupOptions;
  readonly #state: string;
  readonly #origin: () => string;

  constructor(options: SetupOptions, state: string, origin: () => string) {
    this.#options = options;
    this.#state = state;
    this.#origin = origin;
    this.done = new Promise((resolve) => {
      this.#finished = resolve;
    });
  }

  async handle(request: IncomingMessage, url: URL, response: ServerResponse): Promise<void> {
    const { method = "" } = request;
    const isStart = this.#step.name === "start";
    if (method === "GET" && url.pathname === "/setup") return this.#show(response);
    if (method === "GET" && url.pathname === "/setup/registered" && isStart) return this.#registered(url, response);
    if (method === "POST" && (request.headers.origin ?? this.#origin()) !== this.#origin()) {
      return showPage(response, faultPage("The form was sent from another page."), 403);
    }
    if (method === "POST" && url.pathname === "/setup/register" && isStart) {
      return this.#register(await readForm(request), response);
    }
    if (method === "POST" && url.pathname === "/setup/finish") return this.#finish(await readForm(request), response);
    redirect(response);
  }

  /** The page of the step that it has come to. */
  async #show(response: ServerResponse): Promise<void> {
    const { registration, url = "", label, needsKey, next } = this.#options;
    let step = this.#step;
    if (step.name === "start") return showPage(response, startPage({ url, fault: step.fault }));
    if (step.name === "install") {
      const { app, files } = step;
      const repositories = await registration.repositories(app);
      if (repositories.length === 0) return showPage(response, installPage(`${app.page}/installations/new`, files));
      step = this.#step = { name: "finish", app, repositories };
    }
    if (step.name === "finish") return showPage(response, finishPage({ ...step, label, needsKey }));
    showPage(response, endPage(step.report, next));
    this.#finished(step.report);
  }

  /** The first form: hands the manifest on to the host. */
  async #register(form: URLSearchParams, response: ServerResponse): Promise<void> {
    const { webUrl, organisation } = this.#options;
    const hook = await this.#hookAddress(form);
    if ("fault" in hook) {
      this.#step = { name: "start", fault: hook.fault };
      return redirect(response);
    }
    const manifest = {
      ...this.#options.manifest,
      redirect_url: `${this.#origin()}/setup/registered`,
      hook_attributes: { url: hook.url, active: true },
    };
    const owner = organisation === undefined ? "" : `/organizations/${encodeURIComponent(organisation)}`;
    const nonce = randomBytes(16).toString("base64");
    const action = `${webUrl}${owner}/settings/apps/new?state=${this.#state}`;
    showPage(response, handOnPage(action, manifest, nonce), 200, nonce);
  }

  async #hookAddress(form: URLSearchParams): Promise<{ readonly url: string } | { readonly fault: string }> {
    const url = form.get("url")?.trim() ?? "";
    if (url !== "") {
      const isWeb = URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
      if (!isWeb) return { fault: "Give an address that begins with https://." };
      return { url: new URL(this.#options.webhookPath, url).href };
    }
    if (form.get("channel") !== "yes") return { fault: "Give the bot's address, or choose a channel." };
    const channel = await this.#options.openChannel();
    await this.#options.keep({ WEBHOOK_PROXY_URL: channel });
    return { url: channel };
  }

  /** The host has sent the browser back with a code. */
  async #registered(url: URL, response: ServerResponse): Promise<void> {
    const code = url.searchParams.get("code") ?? "";
    if (!same(url.searchParams.get("state") ?? "", this.#state) || code === "") {
      throw new MagisError("HOST_REFUSED", "This answer does not belong to the registration that was begun here.");
    }
    const app = await this.#options.registration.exchange(code);
    const { id, webhookSecret: WEBHOOK_SECRET, privateKey: PRIVATE_KEY } = app;
    const files = await this.#options.keep({ APP_ID: String(id), WEBHOOK_SECRET, PRIVATE_KEY });
    this.#step = { name: "install", app, files };
    redirect(response);
  }

  async #finish(form: URLSearchParams, response: ServerResponse): Promise<void> {
    const step = this.#step;
    if (step.name !== "finish") return redirect(response);
    const { keep, registration, label, examine } = this.#options;
    const key = form.get("key")?.trim() ?? "";
    if (/\s/.test(key)) {
      this.#step = { ...step, fault: "The key is one word without blanks." };
      return redirect(response);
    }
    if (key !== "") await keep({ ANTHROPIC_API_KEY: key });
    const wanted = new Set(form.getAll("repository"));
    const chosen = step.repositories.filter((repository) => wanted.has(repositoryName(repository)));
    for (const repository of chosen) await registration.createLabel(step.app, repository, label);
    this.#step = { name: "end", report: await examine() };
    redirect(response);
  }
}

async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > MAX_FORM_BYTES) throw new MagisError("HOST_REFUSED", "The form is too large.");
    parts.push(part);
  }
  return new URLSearchParams(Buffer.concat(parts).toString("utf8"));
}

/** Whether two secrets are the same, in a time that says nothing of them. */
export function same(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function redirect(response: ServerResponse): void {
  response.writeHead(303, { location: "/setup" }).end();
}
