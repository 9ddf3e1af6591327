import { mayWrite } from "../../model/discussion.ts";
import type { CodeHost } from "../../ports/code-host.ts";

/** Those of `logins` who may push to the repository; one request for each. */
export async function peopleWhoMayWrite(host: CodeHost, logins: readonly string[]): Promise<ReadonlySet<string>> {
  const people = new Set<string>();
  for (const login of new Set(logins)) if (mayWrite(await host.permissionOf(login))) people.add(login);
  return people;
}
