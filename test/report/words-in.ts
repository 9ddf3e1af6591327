/** Counts the words of a text, without hidden marks, folded parts and a pull request's proof. */
export function wordsIn(text: string): number {
  const beside = text.replace(/<!-- magis:proof -->[\s\S]*?<!-- \/magis:proof -->/g, "");
  const visible = beside.replace(/<!--[\s\S]*?-->/g, "").replace(/<details>[\s\S]*?<\/details>/g, "");
  return visible.match(/[\p{L}\p{N}][^\s|]*/gu)?.length ?? 0;
}
