/** A person's browser as far as the pages of the setup need one: cookies, redirects by hand, forms. */
export function createVisitor() {
  let cookie = "";
  return async (url: string, form?: Readonly<Record<string, string>>) => {
    const headers = new Headers();
    if (cookie !== "") headers.set("cookie", cookie);
    if (form) headers.set("origin", new URL(url).origin);
    const body = form && new URLSearchParams(form);
    const response = await fetch(url, { redirect: "manual", headers, method: form ? "POST" : "GET", body });
    cookie = response.headers.get("set-cookie")?.split(";")[0] ?? cookie;
    return { status: response.status, location: response.headers.get("location") ?? "", text: await response.text() };
  };
}
