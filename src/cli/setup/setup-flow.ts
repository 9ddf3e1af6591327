import { randomBytes, timingSafeEqual } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { describeFault, environmentSchema } from "../../config/environment/schema.ts";
import { MagisError } from "../../model/error.ts";
import { DEFAULT_PRICES } from "../../model/prices.ts";
import type { RepositoryId } from "../../model/run-request.ts";
import { repositoryName } from "../../model/run-request.ts";
import type { AppRegistration, NewApp } from "../../ports/app-registration.ts";
import {
  endPage,
  faultPage,
  finishPage,
  handOnPage,
  installPage,
  isProvider,
  type Provider,
  showPage,
  startPage,
} from "./setup-pages.ts";

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
  /** who has the models, where it is still to be said how they are reached; absent: it is known */
  readonly provider?: Provider | undefined;
  /** Opens a channel that passes webhooks on to a machine without a public address; gives its address, if it could be. */
  openChannel(): Promise<string | undefined>;
  /** Tells who gave the command of an error that no page can explain. */
  tell(error: unknown): void;
  /** Writes what was given where the bot finds it; gives the names of the files. */
  keep(values: Readonly<Record<string, string>>): Promise<readonly string[]>;
  /** Looks whether all of it works, with `paid` by a call of each model too; gives what to show. */
  examine(paid: boolean): Promise<string>;
  readonly next: string;
}

type Step =
  | { readonly name: "start"; readonly fault?: string }
  | { readonly name: "install"; readonly app: NewApp; readonly files: readonly string[] }
  | {
      readonly name: "finish";
      readonly app: NewApp;
      readonly repositories: readonly RepositoryId[];
      readonly given?: Readonly<Record<string, string>>;
      readonly fault?: string;
    }
  | { readonly name: "end"; readonly report: string; readonly next: string };

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
    const { registration, url = "", label, provider } = this.#options;
    let step = this.#step;
    if (step.name === "start") {
      // Nothing is left to ask.
      if (url !== "" && step.fault === undefined) return this.#handOn(this.#hookOf(url), response);
      return showPage(response, startPage({ url, fault: step.fault }));
    }
    if (step.name === "install") {
      const { app, files } = step;
      const repositories = await registration.repositories(app);
      if (repositories.length === 0) return showPage(response, installPage(`${app.page}/installations/new`, files));
      step = this.#step = { name: "finish", app, repositories };
    }
    if (step.name === "finish") return showPage(response, finishPage({ ...step, label, provider }));
    showPage(response, endPage(step.report, step.next));
    this.#finished(`${step.report}\n${step.next}`);
  }

  /** The first form. */
  async #register(form: URLSearchParams, response: ServerResponse): Promise<void> {
    const hook = await this.#hookAddress(form);
    if ("url" in hook) return this.#handOn(hook.url, response);
    this.#step = { name: "start", fault: hook.fault };
    redirect(response);
  }

  /** Hands the manifest on to the host. */
  #handOn(hookUrl: string, response: ServerResponse): void {
    const { webUrl, organisation } = this.#options;
    const manifest = {
      ...this.#options.manifest,
      redirect_url: `${this.#origin()}/setup/registered`,
      hook_attributes: { url: hookUrl, active: true },
    };
    const owner = organisation === undefined ? "" : `/organizations/${encodeURIComponent(organisation)}`;
    const nonce = randomBytes(16).toString("base64");
    const action = `${webUrl}${owner}/settings/apps/new?state=${this.#state}`;
    showPage(response, handOnPage(action, manifest, nonce), 200, nonce);
  }

  #hookOf = (url: string) => new URL(this.#options.webhookPath, url).href;

  async #hookAddress(form: URLSearchParams): Promise<{ readonly url: string } | { readonly fault: string }> {
    const url = form.get("url")?.trim() ?? "";
    if (url !== "") {
      const isWeb = URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
      if (!isWeb) return { fault: "Give an address that begins with https://." };
      return { url: this.#hookOf(url) };
    }
    if (form.get("channel") !== "yes") return { fault: "Give the bot's address, or choose a channel." };
    const channel = await this.#options.openChannel();
    if (channel === undefined)
      return { fault: "No channel could be opened: is the network there, and a proxy needed?" };
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
    const { keep, registration, label, examine, provider, next } = this.#options;
    const models = provider === undefined ? { variables: {} } : readModels(form);
    if ("fault" in models) {
      const { key: _, ...given } = Object.fromEntries(form);
      this.#step = { ...step, given: given as Readonly<Record<string, string>>, fault: models.fault };
      return redirect(response);
    }
    const { variables } = models;
    if (Object.keys(variables).length > 0) await keep(variables);
    const wanted = new Set(form.getAll("repository"));
    const chosen = step.repositories.filter((repository) => wanted.has(repositoryName(repository)));
    for (const repository of chosen) await registration.createLabel(step.app, repository, label);
    const report = await examine(form.get("prove") === "yes");
    this.#step = { name: "end", report, next: startWords(variables) ?? next };
    redirect(response);
  }
}

type Texts = Readonly<Record<string, string>>;

/** What the last form says of the models, as variables, or what is wrong with it, in a sentence without what was entered. */
function readModels(form: URLSearchParams): { readonly variables: Texts } | { readonly fault: string } {
  const text = (name: string) => form.get(name)?.trim() ?? "";
  const provider = text("provider") || "anthropic";
  if (!isProvider(provider)) return { fault: "Choose where the models are." };
  const [key, url] = [text("key"), text("base-url")];
  if (provider === "anthropic") return checked(key === "" ? {} : { ANTHROPIC_API_KEY: key });
  const strong = { name: text("model"), price: text("price") };
  const small = text("small-model") === "" ? strong : { name: text("small-model"), price: text("small-price") };
  if (strong.name === "") return { fault: "Name the model." };
  const prices = new Map([strong, small].map(({ name, price }) => [name, price]));
  const unknown = [...prices].find(([name, price]) => price === "" && !Object.hasOwn(DEFAULT_PRICES, name));
  if (unknown) return { fault: "Give each model's price, such as 2/8: without one no budget could be kept." };
  const told = [...prices].flatMap(([name, price]) => (price === "" ? [] : [`${name}=${price}`]));
  if (provider === "openai" && key === "" && url === "") return { fault: "OpenAI asks for a key." };
  // An endpoint that asks for no key takes any word for one.
  const own = { OPENAI_API_KEY: key || "none", ...(url !== "" && { OPENAI_BASE_URL: url }) };
  return checked({
    ...{ MAGIS_PROVIDER: provider, MAGIS_MODEL_STRONG: strong.name, MAGIS_MODEL_FAST: small.name },
    ...(told.length > 0 && { MAGIS_PRICES: told.join(",") }),
    ...(provider === "openai" && own),
  });
}

function checked(variables: Texts): { readonly variables: Texts } | { readonly fault: string } {
  for (const [name, value] of Object.entries(variables)) {
    const shape = environmentSchema.shape[name as keyof typeof environmentSchema.shape];
    const issue = shape.safeParse(value).error?.issues[0];
    if (issue) return { fault: describeFault(name, issue.message) };
  }
  return { variables };
}

/** How the bot is started where a `.env` does not count, since the credentials are the machine's; else undefined. */
function startWords(variables: Texts): string | undefined {
  if (variables.MAGIS_PROVIDER !== "bedrock" && variables.MAGIS_PROVIDER !== "vertex") return undefined;
  const words = Object.entries(variables).map(([name, value]) => `${name}='${value}'`);
  return `The models' credentials are this machine's, and a file may not choose those: start the bot with ${words.join(" ")} magis start, or put these variables where the service has its environment. Then set the label on an issue.`;
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
