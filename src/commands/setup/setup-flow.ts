import { callbackOf } from "../../data/dashboard-path.ts";
import type { RepositoryId } from "../../data/run-request.ts";
import { repositoryName } from "../../data/run-request.ts";
import type { AppRegistration, NewApp } from "../../github/app-registration.ts";
import { beginning, counted } from "../../text/counted.ts";
import { isSameSecret } from "../../text/secrets.ts";
import type { BotCommands } from "../bot-commands.ts";
import type { Finding } from "../findings.ts";
import { DEFAULT_PROVIDER, type FormResult, PROVIDERS, type Provider, readModels, usesMachine } from "./models-form.ts";
import type { Page, ShowPage } from "./setup-pages.ts";

export interface SetupOptions {
  app: AppPlan;
  /** the label to create in the repositories */
  label: string;
  /** the provider to suggest; absent: the models are already configured, so do not ask */
  provider?: Provider | undefined;
  commands: Pick<BotCommands, "start" | "magis">;
  /** the process becomes the bot in any case; otherwise the last form asks */
  becomesBot: boolean;
  world: SetupWorld;
}

/** The app to register, and where. */
export interface AppPlan {
  /** app.yml's manifest, without addresses */
  manifest: Readonly<Record<string, unknown>>;
  /** the host's web address, `https://github.com` */
  webUrl: string;
  /** the organisation that will own the app; absent: the person who registers it */
  organisation?: string | undefined;
  /** the bot's address as the host reaches it, if known */
  url?: string | undefined;
  webhookPath: string;
}

/** Everything the setup does outside its pages. */
export interface SetupWorld {
  registration: AppRegistration;
  /**
   * Opens a channel that forwards webhooks to a machine without a public address. Gives its address, or undefined when
   * that failed.
   */
  openChannel(): Promise<string | undefined>;
  /** Prints on the terminal what no page can show. */
  tell(text: string): void;
  /** Stores values where the bot finds them; gives the names of the files. */
  keep(values: Readonly<Record<string, string>>): Promise<readonly string[]>;
  /** Checks the whole installation, with `paid` also by a call to each model. */
  examine(paid: boolean): Promise<readonly Finding[]>;
}

/** The outcome of the setup. */
export interface SetupResult {
  /** e.g. `MAGIS is set up` */
  heading: string;
  /** faults first */
  findings: readonly Finding[];
  /** sentences: the next steps */
  next: string;
  /** whether to start the bot now */
  starts: boolean;
}

/** The answer to a page or form: a page, or a redirect. */
export type Answer = { status: number; page: Page } | { to: "/setup" };

/** The paths of pages and forms. */
export type SetupPath = "/setup" | "/setup/registered" | "/setup/register" | "/setup/finish";

type Step =
  | { name: "start"; fault?: string }
  | { name: "install"; app: NewApp; files: readonly string[] }
  | {
      name: "finish";
      app: NewApp;
      repositories: readonly RepositoryId[];
      given?: Readonly<Record<string, string>>;
      fault?: string;
    }
  | { name: "end"; result: SetupResult };

const isLoopback = (url: string) =>
  /^(?:(?:.*\.)?localhost|127(?:\.\d+){3}|\[::1\]|0\.0\.0\.0)$/.test(new URL(url).hostname);

const ON: Answer = { to: "/setup" };

/**
 * The state of the registration, and how each page and form changes it. Requests are handled one after another: when
 * two answers from the host arrive at once, the first counts.
 */
export class SetupFlow {
  readonly done: Promise<SetupResult>;
  #finished: (result: SetupResult) => void = () => undefined;
  #step: Step = { name: "start" };
  /** kept after the exchange: a code works only once, and storing the keys may fail */
  #app: NewApp | undefined;
  #last: Promise<unknown> = Promise.resolve();

  readonly #options: SetupOptions;
  readonly #showPage: ShowPage;
  readonly #state: string;
  readonly #origin: string;

  /** `state` goes to the host and comes back with its answer; `origin` is the address of the pages. */
  constructor(options: SetupOptions, showPage: ShowPage, state: string, origin: string) {
    this.#options = options;
    this.#showPage = showPage;
    this.#state = state;
    this.#origin = origin;
    this.done = new Promise((resolve) => {
      this.#finished = resolve;
    });
  }

  /** Answers a page or a form; `words` are the parameters of the URL or the form. */
  answer(path: SetupPath, words: URLSearchParams): Promise<Answer> {
    const turn = this.#last.then(() => this.#answer(path, words));
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  #answer(path: SetupPath, words: URLSearchParams): Promise<Answer> {
    switch (path) {
      case "/setup":
        return this.#show();
      case "/setup/register":
        return this.#register(words);
      case "/setup/registered":
        return this.#registered(words);
      case "/setup/finish":
        return this.#finish(words);
    }
  }

  #page = async (...page: Parameters<ShowPage>): Promise<Answer> => ({
    status: 200,
    page: await this.#showPage(...page),
  });

  /** The page for the current step. */
  async #show(): Promise<Answer> {
    const { app: plan, label, provider, commands, becomesBot, world } = this.#options;
    const { url = "" } = plan;
    let step = this.#step;
    if (step.name === "start") {
      const fault = step.fault ?? this.#faultOf(url);
      // There is nothing left to ask.
      if (url !== "" && fault === undefined) return this.#handOn(this.#hookOf(url), url);
      return this.#page("address", { url, fault });
    }
    if (step.name === "install") {
      const { app, files } = step;
      const repositories = await world.registration.repositories(app);
      if (repositories.length === 0) {
        return this.#page("install", { installUrl: `${app.page}/installations/new`, files });
      }
      step = { name: "finish", app, repositories };
      this.#step = step;
    }
    if (step.name === "finish") {
      const { given, fault } = step;
      return this.#page("finish", {
        repositories: step.repositories.map(repositoryName),
        label,
        fault,
        given: given ?? {},
        // Absent when the models are already configured.
        providers: provider && Object.entries(PROVIDERS),
        defaultProvider: DEFAULT_PROVIDER,
        provider: given?.provider ?? provider,
        // Absent when the bot starts anyway.
        startCommand: becomesBot ? undefined : commands.start,
        starts: given === undefined || given.start === "yes",
      });
    }
    const page = await this.#page("end", { ...step.result });
    this.#finished(step.result);
    return page;
  }

  async #register(form: URLSearchParams): Promise<Answer> {
    if (this.#step.name !== "start") return ON;
    const hook = await this.#hookAddress(form);
    if ("url" in hook) return this.#handOn(hook.url, hook.origin);
    this.#step = { name: "start", fault: hook.fault };
    return ON;
  }

  /** Sends the manifest to the host. `origin`: the bot's own, where people can sign in to its dashboard. */
  async #handOn(hook: string, origin?: string): Promise<Answer> {
    const { webUrl, organisation, manifest: fixed } = this.#options.app;
    const manifest = {
      ...fixed,
      redirect_url: `${this.#origin}/setup/registered`,
      hook_attributes: { url: hook, active: true },
      callback_urls: origin === undefined ? undefined : [callbackOf(origin)],
    };
    const owner = organisation === undefined ? "" : `/organizations/${encodeURIComponent(organisation)}`;
    const action = `${webUrl}${owner}/settings/apps/new?state=${this.#state}`;
    const values = { action, manifest: JSON.stringify(manifest), hook, organisation };
    return this.#page("register", values, action);
  }

  #hookOf = (url: string) => new URL(this.#options.app.webhookPath, url).href;

  /** Why GitHub cannot reach the bot at that address. */
  #faultOf(url: string): string | undefined {
    if (url === "") return undefined;
    const isWeb = URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
    if (!isWeb) return "Give an address that begins with https://.";
    if (!isLoopback(url) || isLoopback(this.#options.app.webUrl)) return undefined;
    return "GitHub cannot reach an address of this machine alone, such as localhost: give a public one, or choose the channel.";
  }

  async #hookAddress(form: URLSearchParams): Promise<HookAddress | { fault: string }> {
    const url = form.get("url")?.trim() ?? "";
    if (url !== "") {
      const fault = this.#faultOf(url);
      if (fault !== undefined) return { fault };
      return { url: this.#hookOf(url), origin: url };
    }
    if (form.get("channel") !== "yes") return { fault: "Give the bot's address, or choose a channel." };
    const { openChannel, keep } = this.#options.world;
    const channel = await openChannel();
    if (channel === undefined)
      return { fault: "Could not open a channel. Is the network up, and does it need a proxy?" };
    await keep({ WEBHOOK_PROXY_URL: channel });
    return { url: channel };
  }

  async #registered(query: URLSearchParams): Promise<Answer> {
    const code = query.get("code") ?? "";
    if (!isSameSecret(query.get("state") ?? "", this.#state) || code === "") {
      const text = "This answer belongs to another registration.";
      return { status: 403, page: await this.#showPage("fault", { fault: text, canContinue: true }) };
    }
    if (this.#step.name !== "start") {
      const text = `${this.#app?.slug} (${this.#app?.id}) is registered already, so that this answer was not used. If GitHub has created a second app, delete it there.`;
      return { status: 409, page: await this.#showPage("fault", { fault: text, canContinue: true }) };
    }
    const { registration, keep } = this.#options.world;
    this.#app ??= await registration.exchange(code);
    const { id, webhookSecret: WEBHOOK_SECRET, privateKey: PRIVATE_KEY } = this.#app;
    const { clientId: GITHUB_CLIENT_ID, clientSecret: GITHUB_CLIENT_SECRET } = this.#app;
    const keys = { APP_ID: String(id), WEBHOOK_SECRET, PRIVATE_KEY, GITHUB_CLIENT_ID, GITHUB_CLIENT_SECRET };
    const files = await keep(keys);
    this.#step = { name: "install", app: this.#app, files };
    return ON;
  }

  async #finish(form: URLSearchParams): Promise<Answer> {
    const step = this.#step;
    if (step.name !== "finish") return ON;
    const { label, provider, becomesBot } = this.#options;
    const { keep, registration, examine } = this.#options.world;
    const starts = becomesBot || form.get("start") === "yes";
    const models: FormResult = provider ? readModels(form, starts) : { variables: {} };
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

  #resultOf(findings: readonly Finding[], variables: Readonly<Record<string, string>>, wanted: boolean): SetupResult {
    const { commands, label } = this.#options;
    const faults = findings.filter(({ level }) => level === "fault");
    const starts = wanted && !faults.some(({ check }) => check === "configuration");
    const next: string[] = [];
    if (faults.length > 0) next.push(`${commands.magis} doctor looks again when that is mended.`);
    next.push(starts ? "The bot starts now." : `Start the bot with ${commands.start}.`);
    next.push(...credentialsNote(variables, commands.start), `Then set the label ${label} on an issue.`);
    return {
      heading: headingOf(faults.length),
      findings,
      starts,
      next: next.join(" "),
    };
  }
}

interface HookAddress {
  url: string;
  /** the bot's own; absent for a channel */
  origin?: string;
}

/** How to start the bot with the machine's own credentials, for which `.env` does not count. */
function credentialsNote(variables: Readonly<Record<string, string>>, start: string): string[] {
  if (!usesMachine(variables)) return [];
  const words = Object.entries(variables).map(([name, value]) => `${name}='${value}'`);
  return [
    `The models' credentials come from this machine, which a file may not choose. Start the bot every time with ${words.join(" ")} ${start}, or put these variables where the service has its environment.`,
  ];
}

const SEVERITY = ["fault", "warning", "skipped", "ok"] as const;

/** Faults first, then warnings; otherwise in the original order. */
function findingsBySeverity(findings: readonly Finding[]): readonly Finding[] {
  return findings.toSorted((a, b) => SEVERITY.indexOf(a.level) - SEVERITY.indexOf(b.level));
}

/** The heading for this number of faults. */
function headingOf(faults: number): string {
  if (faults === 0) return "MAGIS is set up";
  return `${beginning(counted(faults, "thing"))} ${faults === 1 ? "does" : "do"} not work yet`;
}
