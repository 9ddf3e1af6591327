/** The author of commits that the host does not make itself: the app, as GitHub names it in commits. */
export function botAuthor(login: string): { name: string; email: string } {
  return { name: login, email: `${login}@users.noreply.github.com` };
}
