/** Whether the bot takes both for the same path: slashes at the end do not count. */
export function samePath(one: string, other: string): boolean {
  const plain = (path: string) => path.replace(/\/+$/, "") || "/";
  return plain(one) === plain(other);
}
