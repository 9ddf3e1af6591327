/** The author of commits that the bot makes with git: the app, as GitHub names it in commits, or a given person. */
export function botAuthor({ login, author }: { login: string; author?: { name: string; email: string } }): {
  name: string;
  email: string;
} {
  return author ?? { name: login, email: `${login}@users.noreply.github.com` };
}
