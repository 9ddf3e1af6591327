import { z } from "zod";
import type { CliCommand, CliContext, CliOption } from "../cli-command.ts";

/** The registration as the command line asks for it. */
export interface SetupRequest {
  /** the organisation that will own the app; absent: the person who registers it */
  readonly organisation?: string | undefined;
  /** the bot's address as GitHub reaches it */
  readonly url?: string | undefined;
  /** the service that opens a channel for webhooks; absent: smee.io */
  readonly channels?: string | undefined;
  /** the port on this machine for the pages; 0: any free one */
  readonly port: number;
  /** whether to open the pages in this machine's browser */
  readonly open: boolean;
  /** whether an app that is already configured may be replaced */
  readonly replace: boolean;
}

/** The outcome of the setup. */
export interface SetupEnd {
  /** for the terminal: the doctor's findings and the next steps */
  readonly report: string;
  /** whether to start the bot now, in this process */
  readonly starts: boolean;
  /** variables that the person at this machine chose; a file may not set these */
  readonly chosen: Readonly<Record<string, string>>;
}

const MAX_PORT = 65_535;

const PORT_RULE = `must be a port, 0 to ${MAX_PORT}`;

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
      .regex(/^\d{1,5}$/, PORT_RULE)
      .refine((text) => Number(text) <= MAX_PORT, PORT_RULE)
      .transform(Number),
  },
  { name: "open", description: "open the pages in the browser" },
  { name: "replace", description: "register another app although one is configured" },
] as const satisfies readonly CliOption[];

/**
 * `magis setup`: registers the app by GitHub's manifest flow, in a browser on this machine. `setUp` serves the pages
 * until all is done, and passes the address to open to `context.progress`. If the last form asked for it, the command
 * then becomes the bot (`startBot`).
 */
export function createSetupCommand(
  setUp: (request: SetupRequest, context: CliContext) => Promise<SetupEnd>,
  startBot: (chosen: SetupEnd["chosen"]) => Promise<void>,
): CliCommand<typeof SETUP_OPTIONS> {
  return {
    name: "setup",
    waiting: "waiting for the browser",
    description: "register the GitHub App in a browser, write .env, create the label, start the bot",
    examples: ["setup --open", "setup --org acme --url https://magis.example.com"],
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
        return { exitCode: 130, text: "Cancelled. Files already written stay; magis setup starts over." };
      if (!starts) return { exitCode: 0, text: report };
      context.progress(report);
      await startBot(chosen);
      return { exitCode: 0, text: "" };
    },
  };
}
