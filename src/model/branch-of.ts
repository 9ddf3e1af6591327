import { slug } from "../text/slug.ts";

/** The branch of an issue's change after the setting `branch`, whose form makes it a valid ref name below `magis/`. */
export function branchOf(template: string, issue: number, title: string): string {
  return template.replace("{issue}", String(issue)).replaceAll("{slug}", slug(title));
}
