import type { ScriptedCall } from "../scripted-model/scripted-call.ts";

const OWN = /the Developer of task t\d+ on the file `([^`]+)`/g;
const ABOUT = [
  /^# The file `(.+)`$/gm,
  /the file `(.+)` for colleagues/g,
  /\b(?:modify|delete|create) `([^`]+)`: /g,
  /^- t\d+ · \w+ `([^`]+)` · /gm,
  /of task t\d+: create `([^`]+)`/g,
  /the QA Engineer of task t\d+ \(`([^`]+)`\)/g,
];

const FORMS: ReadonlyMap<string, readonly RegExp[]> = new Map([
  ["p09-change-file", [OWN]],
  ["p10-write-new-file", ABOUT.slice(4)],
  ["p11-review-change", ABOUT.slice(5)],
]);

/** The file that a call is about: the last one it introduces as its own, since it lists the team's tasks first. */
export function pathOf({ promptId, text }: ScriptedCall): string {
  const forms = FORMS.get(promptId) ?? ABOUT;
  for (const form of forms) {
    const found = [...text.matchAll(form)].at(-1)?.[1];
    if (found !== undefined) return found;
  }
  return "";
}
