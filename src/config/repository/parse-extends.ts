const FORM = /^(?:([^/:]+)\/)?(\.github)(?::(.+))?$/;

/**
 * Which file of the owner's `.github` repository `_extends` names; `.github/magis.yml` when it names none. Undefined
 * when the repository is another owner's: what that one's maintainers decide is not for this one.
 */
export function parseExtends(
  value: string,
  owner: string,
): { readonly repository: string; readonly path: string } | undefined {
  const [, named = owner, repository, path = ".github/magis.yml"] = FORM.exec(value) ?? [];
  if (repository === undefined || named.toLowerCase() !== owner.toLowerCase()) return undefined;
  return { repository, path };
}
