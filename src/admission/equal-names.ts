/** Whether two labels or logins are the same to GitHub, which ignores the case of both. */
export function equalNames(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
