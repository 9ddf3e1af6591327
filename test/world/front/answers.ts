import type { Answer, Call } from "../state.ts";

/** An error in GitHub's form. */
export function failure(status: number, message: string, errors?: unknown[]): Answer {
  const body = {
    message,
    errors,
    documentation_url: "https://docs.github.com/rest",
    status: String(status),
  };
  return { status, body };
}

/** One page of `items` by `per_page` and `page`, with GitHub's Link header. */
export function paginate({ state, path, query }: Call, items: unknown[]): Answer {
  const size = Math.min(100, Math.max(1, Number(query.get("per_page") ?? 30)));
  const page = Math.max(1, Number(query.get("page") ?? 1));
  const last = Math.max(1, Math.ceil(items.length / size));
  const to = (number: number, rel: string) => {
    const other = new URLSearchParams(query);
    other.set("page", String(number));
    return `<${state.url}/api/v3${path}?${other}>; rel="${rel}"`;
  };
  const links = [
    ...(page > 1 ? [to(page - 1, "prev"), to(1, "first")] : []),
    ...(page < last ? [to(page + 1, "next"), to(last, "last")] : []),
  ];
  const body = items.slice((page - 1) * size, page * size);
  return { status: 200, body, headers: links.length === 0 ? undefined : { link: links.join(", ") } };
}
