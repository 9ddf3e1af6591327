import { ownVersion } from "./data/own-files.ts";
import { serve } from "./serve.ts";
import { credentialVariables } from "./settings/environment/piped-secrets.ts";
import { processEnvironment } from "./settings/environment/read-config.ts";

const HELP = `Starts the bot, which then waits for webhooks until a signal ends it. It takes no arguments: its settings come
from the environment and from .env in the working directory. All other commands are those of magis, also "start".

  --help     show this
  --version  show the version`;

const [argument] = process.argv.slice(2);

if (argument === undefined) await serve({ ...processEnvironment(), ...credentialVariables(processEnvironment()) });
else if (argument === "--help" || argument === "-h") process.stdout.write(`${HELP}\n`);
else if (argument === "--version") process.stdout.write(`${ownVersion()}\n`);
else {
  process.stderr.write(`The bot takes no argument ${JSON.stringify(argument)}: see --help. Nothing was started.\n`);
  process.exitCode = 2;
}
