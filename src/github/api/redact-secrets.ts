/** Takes anything that looks like a GitHub token, a JWT or a password in an address out of a text. */
export function redactSecrets(text: string): string {
  return text
    .replace(/\b(?:gh[a-z]_|github_pat_)[\w.-]+/g, "[secret]")
    .replace(/\beyJ[\w-]+\.[\w-]+\.[\w-]*/g, "[secret]")
    .replace(/(:\/\/)[^/\s@]+@/g, "$1[secret]@");
}
