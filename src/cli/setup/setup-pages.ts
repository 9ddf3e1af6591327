import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { Liquid } from "liquidjs";
import type { Finding } from "../findings.ts";
import { PROVIDERS, type Provider } from "./models-form.ts";

const FOLDER = path.join(path.dirname(fileURLToPath(import.meta.url)), "..", "..", "..", "pages", "setup");

/** A whole page, and the headers that it is sent with. */
export interface Page {
  readonly html: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** The page that hands the manifest on to the host. */
export interface RegisterPage {
  /** the host's address that takes the manifest */
  readonly action: string;
  readonly manifest: object;
  /** where the host will send webhooks */
  readonly hook: string;
  readonly organisation?: string | undefined;
}

/** The last form: the label's repositories, where the models are, and whether the bot starts. */
export interface FinishPage {
  /** as `OWNER/REPO` */
  readonly repositories: readonly string[];
  readonly label: string;
  /** who has the models, where it is still to be said how they are reached; absent: it is known */
  readonly provider?: Provider | undefined;
  /** what was entered before it was found wrong; never a key */
  readonly given?: Readonly<Record<string, string>> | undefined;
  readonly fault?: string | undefined;
  /** how the bot is started later, where it is asked whether it starts now; absent: it starts anyway */
  readonly startCommand?: string | undefined;
}

export interface SetupPages {
  /** Asks where the host reaches the bot. */
  address(given: { readonly url: string; readonly fault?: string | undefined }): Promise<Page>;
  register(page: RegisterPage): Promise<Page>;
  /** The app is there; it waits for its installation. */
  install(installUrl: string, files: readonly string[]): Promise<Page>;
  finish(page: FinishPage): Promise<Page>;
  /** What the doctor found, headed by what is true, and what comes next. */
  end(findings: readonly Finding[], next: string): Promise<Page>;
  /** Something that no form can mend; with `goesOn` there is a way back to the step that it has come to. */
  fault(text: string, goesOn: boolean): Promise<Page>;
}

/** Reads the style sheet; the templates of `pages/setup` are read when they are shown. */
export async function openPages(): Promise<SetupPages> {
  const style = await readFile(path.join(FOLDER, "style.css"), "utf8");
  const styleHash = createHash("sha256").update(style).digest("base64");
  const liquid = new Liquid({
    root: FOLDER,
    extname: ".liquid",
    outputEscape: "escape",
    strictFilters: true,
    cache: true,
  });
  const show = async (
    template: string,
    values: Readonly<Record<string, unknown>>,
    target = "'self'",
  ): Promise<Page> => ({
    html: await liquid.renderFile(template, { ...values, style }),
    headers: headersOf(styleHash, target),
  });
  return {
    address: (given) => show("address", { title: "Register MAGIS as a GitHub App", ...given }),
    register({ action, manifest, hook, organisation }) {
      const values = {
        title: "Register MAGIS as a GitHub App",
        action,
        manifest: JSON.stringify(manifest),
        hook,
        organisation,
      };
      return show("register", values, formsTo(action));
    },
    install: (installUrl, files) =>
      show("install", { title: "The app is registered", refresh: 2, install_url: installUrl, files }),
    finish({ repositories, label, provider, given, fault, startCommand }) {
      const values = {
        title: "The app is installed",
        fault,
        repositories,
        label,
        providers: provider === undefined ? undefined : PROVIDERS,
        provider: given?.provider ?? provider,
        given: given ?? {},
        start_command: startCommand,
        is_started: given === undefined || given.start === "yes",
      };
      return show("finish", values);
    },
    end(findings, next) {
      const troubles = findingsBySeverity(findings).filter(({ level }) => level === "fault" || level === "warning");
      const values = {
        title: headingOf(findings),
        troubles,
        others: findings.filter((one) => !troubles.includes(one)),
        next,
      };
      return show("end", values);
    },
    fault: (text, goesOn) => show("fault", { title: "This did not work", fault: text, goes_on: goesOn }),
  };
}

const SEVERITY = ["fault", "warning", "skipped", "ok"] as const;

/** Faults first, then warnings; otherwise in the order in which they were found. */
export function findingsBySeverity(findings: readonly Finding[]): readonly Finding[] {
  return findings.toSorted((a, b) => SEVERITY.indexOf(a.level) - SEVERITY.indexOf(b.level));
}

/** What is true of a setup in which the doctor found this. */
export function headingOf(findings: readonly Finding[]): string {
  const faults = findings.filter(({ level }) => level === "fault").length;
  if (faults === 0) return "MAGIS is set up";
  return faults === 1 ? "One thing does not work yet" : `${faults} things do not work yet`;
}

/**
 * Where the form with the manifest may go. An Enterprise Server may send somebody who is not signed in on to a sign-on page
 * of another host, which counts as the form's target.
 */
function formsTo(action: string): string {
  const { origin } = new URL(action);
  return origin === "https://github.com" ? origin : `${origin} https:`;
}

/** A page may run and load nothing, and be framed by nobody. */
function headersOf(styleHash: string, formsTo: string): Readonly<Record<string, string>> {
  const policy = [
    "default-src 'none'",
    `style-src 'sha256-${styleHash}'`,
    `form-action ${formsTo}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ];
  return {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": policy.join("; "),
    "cache-control": "no-store",
    "referrer-policy": "same-origin",
    "x-content-type-options": "nosniff",
  };
}
