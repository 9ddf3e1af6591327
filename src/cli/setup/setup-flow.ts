import type { RepositoryId } from "../../model/run-request.ts";
import { repositoryName } from "../../model/run-request.ts";
import type { AppRegistration, NewApp } from "../../ports/app-registration.ts";
import type { BotCommands, Finding } from "../findings.ts";
import { type FormResult, type Provider, readModels } from "./models-form.ts";
import { isSameSecret } from "./secrets.ts";
import { findingsBySeverity, headingOf, type Page, type SetupPages } from "./setup-pages.ts";

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
  readonly commands: Pick<BotCommands, "start" | "magis">;
  /** the process goes on as the bot in any case; else the last form asks whether it does */
  readonly goesOn: boolean;
  /** Opens a channel that passes webhooks on to a machine without a public address; gives its address, if it could be. */
  openChannel(): Promise<string | undefined>;
  /** Tells who gave the command of what no page can say. */
  tell(text: string): void;
  /** Writes what was given where the bot finds it; gives the names of the files. */
  keep(values: Readonly<Record<string, string>>): Promise<readonly string[]>;
  /** Looks whether all of it works, with `paid` by a call of each model too. */
  examine(paid: boolean): Promise<readonly Finding[]>;
}

/** What the setup came to. */
export interface SetupResult {
  /** what is true of it, e.g. `MAGIS is set up` */
  readonly heading: string;
  /** faults first */
  readonly findings: readonly Finding[];
  /** in sentences: what comes next */
  readonly next: string;
  /** whether the bot is to start now */
  readonly starts: boolean;
}

/** What a page or form is answered with: a page, or with `to` the way to another. */
export type Answer = { readonly status: number; readonly page: Page } | { readonly to: "/setup" };

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
  | { readonly name: "end"; readonly result: SetupResult };

const ON: Answer = { to: "/setup" };

/**
 * Where the registration stands, and what each page and form does to it. All are answered one after another, so that of two
 * answers of the host that come at once the first counts and the second is told.
 */
export class SetupFlow {
  readonly done: Promise<SetupResult>;
  #finished: (result: SetupResult) => void = () => undefined;
  #step: Step = { name: "start" };
  /** kept from the exchange on: a code is good for one, and writing the keys down may fail */
  #app: NewApp | undefined;
  #last: Promise<unknown> = Promise.resolve();

  readonly #options: SetupOptions;
  readonly #pages: SetupPages;
  readonly #state: string;
  readonly #origin: string;

  /** `state` goes to the host and comes back with its answer; `origin` is where the pages are. */
  constructor(options: SetupOptions, pages: SetupPages, state: string, origin: string) {
    this.#options = options;
    this.#pages = pages;
    this.#state = state;
    this.#origin = origin;
    this.done = new Promise((resolve) => {
      this.#finished = resolve;
    });
  }

  /** `GET /setup`: the page of the step that it has come to. */
  show = (): Promise<Answer> => this.#inTurn(() => this.#show());

  /** `POST /setup/register`: where the host reaches the bot. */
  register = (form: URLSearchParams): Promise<Answer> => this.#inTurn(() => this.#register(form));

  /** `GET /setup/registered`: the host has sent the browser back with a code. */
  registered = (query: URLSearchParams): Promise<Answer> => this.#inTurn(() => this.#registered(query));

  /** `POST /setup/finish`: label and models. */
  finish = (form: URLSearchParams): Promise<Answer> => this.#inTurn(() => this.#finish(form));

  #inTurn(answer: () => Promise<Answer>): Promise<Answer> {
    const turn = this.#last.then(answer);
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  async #show(): Promise<Answer> {
    const { registration, url = "", label, provider, commands, goesOn } = this.#options;
    let step = this.#step;
    if (step.name === "start") {
      // Nothing is left to ask.
      if (url !== "" && step.fault === undefined) return this.#handOn(this.#hookOf(url));
      return shown(await this.#pages.address({ url, fault: step.fault }));
    }
    if (step.name === "install") {
      const { app, files } = step;
      const repositories = await registration.repositories(app);
      if (repositories.length === 0) return shown(await this.#pages.install(`${app.page}/installations/new`, files));
      step = { name: "finish", app, repositories };
      this.#step = step;
    }
    if (step.name === "finish") {
      const { given, fault } = step;
      const startCommand = goesOn ? undefined : commands.start;
      const repositories = step.repositories.map(repositoryName);
      return shown(await this.#pages.finish({ repositories, label, provider, given, fault, startCommand }));
    }
    const { findings, next } = step.result;
    const page = await this.#pages.end(findings, next);
    this.#finished(step.result);
    return shown(page);
  }

  async #register(form: URLSearchParams): Promise<Answer> {
    if (this.#step.name !== "start") return ON;
    const hook = await this.#hookAddress(form);
    if ("url" in hook) return this.#handOn(hook.url);
    this.#step = { name: "start", fault: hook.fault };
    return ON;
  }

  /** Hands the manifest on to the host. */
  async #handOn(hook: string): Promise<Answer> {
    const { webUrl, organisation } = this.#options;
    const manifest = {
      ...this.#options.manifest,
      redirect_url: `${this.#origin}/setup/registered`,
      hook_attributes: { url: hook, active: true },
    };
    const owner = organisation === undefined ? "" : `/organizations/${encodeURIComponent(organisation)}`;
    const action = `${webUrl}${owner}/settings/apps/new?state=${this.#state}`;
    return shown(await this.#pages.register({ action, manifest, hook, organisation }));
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

  async #registered(query: URLSearchParams): Promise<Answer> {
    const code = query.get("code") ?? "";
    if (!isSameSecret(query.get("state") ?? "", this.#state) || code === "") {
      const text = "This answer does not belong to the registration that was begun here.";
      return { status: 403, page: await this.#pages.fault(text, true) };
    }
    if (this.#step.name !== "start") {
      const text = `${this.#app?.slug} (${this.#app?.id}) is registered already, so that this answer was not used. If GitHub has created a second app, delete it there.`;
      return { status: 409, page: await this.#pages.fault(text, true) };
    }
    this.#app ??= await this.#options.registration.exchange(code);
    const { id, webhookSecret: WEBHOOK_SECRET, privateKey: PRIVATE_KEY } = this.#app;
    const files = await this.#options.keep({ APP_ID: String(id), WEBHOOK_SECRET, PRIVATE_KEY });
    this.#step = { name: "install", app: this.#app, files };
    return ON;
  }

  async #finish(form: URLSearchParams): Promise<Answer> {
    const step = this.#step;
    if (step.name !== "finish") return ON;
    const { keep, registration, label, examine, goesOn } = this.#options;
    const starts = goesOn || form.get("start") === "yes";
    const models = this.#readModels(form, starts);
    if ("fault" in models) {
      const { key: _, ...given } = Object.fromEntries(form);
      this.#step = { ...step, given: given as Readonly<Record<string, string>>, fault: models.fault };
      return ON;
    }
    const { variables } = models;
    if (Object.keys(variables).length > 0) await keep(variables);
    const wanted = new Set(form.getAll("repository"));
    const chosen = step.repositories.filter((repository) => wanted.has(repositoryName(repository)));
    for (const repository of chosen) await registration.createLabel(step.app, repository, label);
    const findings = findingsBySeverity(await examine(form.get("prove") === "yes"));
    this.#step = { name: "end", result: this.#resultOf(findings, variables, starts) };
    return ON;
  }

  #readModels(form: URLSearchParams, starts: boolean): FormResult {
    if (this.#options.provider === undefined) return { variables: {} };
    const models = readModels(form);
    if (starts && "variables" in models && Object.keys(models.variables).length === 0) {
      return { fault: "Enter the key: without one the bot cannot start." };
    }
    return models;
  }

  #resultOf(findings: readonly Finding[], variables: Readonly<Record<string, string>>, wanted: boolean): SetupResult {
    const { commands, label } = this.#options;
    const faults = findings.filter(({ level }) => level === "fault");
    const starts = wanted && !faults.some(({ check }) => check === "configuration");
    const note = credentialsNote(variables, commands.start);
    return {
      heading: headingOf(findings),
      findings,
      starts,
      next: [
        ...(faults.length > 0 ? [`${commands.magis} doctor looks again when that is mended.`] : []),
        starts ? "The bot starts now." : `Start the bot with ${commands.start}.`,
        ...(note === undefined ? [] : [note]),
        `Then set the label ${label} on an issue.`,
      ].join(" "),
    };
  }
}

/** How the bot is started where a `.env` does not count, since the credentials are the machine's; else undefined. */
function credentialsNote(variables: Readonly<Record<string, string>>, start: string): string | undefined {
  if (variables.MAGIS_PROVIDER !== "bedrock" && variables.MAGIS_PROVIDER !== "vertex") return undefined;
  const words = Object.entries(variables).map(([name, value]) => `${name}='${value}'`);
  return `The models' credentials are this machine's, and a file may not choose those: whenever you start it, do it with ${words.join(" ")} ${start}, or put these variables where the service has its environment.`;
}

function shown(page: Page): Answer {
  return { status: 200, page };
}
