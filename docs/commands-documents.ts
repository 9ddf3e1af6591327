import { COMMANDS, formOf, helpOf, NEEDS_APP, VERBS, type Verb } from "../src/data/command.ts";
import { between, fill, type MadeDocument, table } from "./settings-documents.ts";

/** Every document of which parts are made of the table of commands. */
export const COMMANDS_DOCUMENTS: readonly MadeDocument[] = [
  { path: "docs/using.md", make: (text) => fill(text, "commands", commandsTable()) },
  {
    path: "docs/action.md",
    make: (text) => between(text, "<!-- needs-app -->", "<!-- /needs-app -->", `\n${needApp()}\n`),
  },
];

function commandsTable(): string {
  const rows = VERBS.map((verb) => [`\`/magis ${formOf(verb)}\``, helpOf(verb, "issue"), onPullRequest(verb)]);
  return table(["command", "on an issue", "on its pull request"], rows);
}

function onPullRequest(verb: Verb): string {
  if (COMMANDS[verb].places === "issues") return "works on the issue only";
  const help = helpOf(verb, "pull request");
  return help === helpOf(verb, "issue") ? "the same" : help;
}

/** The commands that the Action does not know: "`/magis plan`, `status`". */
function needApp(): string {
  const verbs = VERBS.filter((verb) => COMMANDS[verb].inAction === NEEDS_APP);
  return verbs.map((verb, at) => `\`${at === 0 ? "/magis " : ""}${verb}\``).join(", ");
}
