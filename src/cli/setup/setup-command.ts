import { z } from "zod";
import type { CliCommand, CliContext, CliOption } from "../cli-command.ts";

/** What the command line says of the registration. */
export interface SetupRequest {
  /** the organisation that the app is to belong to; absent: whoever registers it */
  readonly organisation?: string | undefined;
  /** the address at which the host reaches the bot */
  readonly url?: string | undefined;
  /** the service that opens a channel for webhooks; absent: smee.io */
  readonly channels?: string | undefined;
  /** the port of this machine for the pages; 0: a free one */
  readonly port: number;
  /** whether the pages are opened in the browser of this machine */
  readonly open: boolean;
  /** whether an app that is configured already may be replaced */
  readonly replace: boolean;
}

/** What the setup came to. */
export interface SetupEnd {
  /** for the terminal: what the doctor found, and what comes next */
  readonly report: string;
  /** whether the bot is to start now, in this process */
  readonly starts: boolean;
  /** variables that a person at this machine has chosen and a file may not choose */
  readonly chosen: Readonly<Record<string, string>>;
}

const SETUP_OPTIONS = [
  { name: "org", argument: "ORGANISATION", description: "whom the app belongs to; without it: whoever registers it" },
  {
    name: "url",
    argument: "URL",
    description: "the address at which GitHub reaches the bot, e.g. https://magis.example.com",
    shape: z.url({ protocol: /^https?$/, error: "must be an address that begins with https://" }),
  },
  {
    name: "channels",
    argument: "URL",
    description: "the service that opens a channel where there is no address; without it: https://smee.io/new",
    shape: z.url({ protocol: /^https?$/, error: "must be an address that begins with https://" }),
  },
  {
    name: "port",
    argument: "PORT",
    description: "the port of this machine for the pages; without it: a free one",
    shape: z
      .string()
      .regex(/^\d{1,5}$/, "must be a port")
      .transform(Number),
  },
  { name: "open", description: "open the pages in the browser" },
  { name: "replace", description: "register another app although one is configured" },
] as const satisfies readonly CliOption[];

/**
 * `magis setup`: registers the app by GitHub's manifest flow, in a browser on this machine. `setUp` serves the pages until all
 * is done and says the address to open by `context.progress`. Where the last form asked for it, the command then becomes
 * the bot (`startBot`).
 */
export function createSetupCommand(
  setUp: (request: SetupRequest, context: CliContext) => Promise<SetupEnd>,
  startBot: (chosen: SetupEnd["chosen"]) => Promise<void>,
): CliCommand<typeof SETUP_OPTIONS> {
  return {
    name: "setup",
    waiting: "waiting for the browser",
    description: "register the GitHub App in a browser, write .env, create the label, start the bot",
    options: SETUP_OPTIONS,
    async run({ options }, context) {
      const { org: organisation, url, channels, port = 0, replace, open } = options;
      const request: SetupRequest = {
        port,
        replace: replace === true,
        open: open === true,
        organisation,
        url,
        channels,
      };
      const { report, starts, chosen } = await setUp(request, context);
      if (context.signal.aborted)
        return { exitCode: 130, text: "Cancelled. What was written stays; magis setup begins anew." };
      if (!starts) return { exitCode: 0, text: report };
      context.progress(report);
      await startBot(chosen);
      return { exitCode: 0, text: "" };
    },
  };
}
