/** `one task`, `2 tasks`, `1,200 tasks`, `no tasks`: for sentences. `many` is the plural where an "s" is not enough. */
export function counted(count: number, one: string, many = `${one}s`): string {
  if (count === 0) return `no ${many}`;
  return count === 1 ? `one ${one}` : figure(count, one, many);
}

/** `1 task`, `2 tasks`, `0 tasks`: for figures in a row. */
export function figure(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString("en-US")} ${count === 1 ? one : many}`;
}

/** Words of others as a sentence: it ends with a full stop, unless it ends otherwise already. */
export const ended = (words: string) => (words === "" || /[.!?…:][)"'`*]*$/.test(words) ? words : `${words}.`);

/** The same words at the beginning of a sentence. */
export const beginning = (words: string) => words.charAt(0).toUpperCase() + words.slice(1);
