/** A person's browser as far as the pages of the setup need one: cookies, redirects by hand, forms. */
export function createVisitor() {
  let cookie = "";
  return async (url: string, form?: Readonly<Record<string, string>>) => {
    const response = await fetch(url, {
      redirect: "manual",
      headers: {
        ...(cookie !== "" && { cookie }),
        ...(form && { origin: new URL(url).origin }),
      },
      ...(form && { method: "POST", body: new URLSearchParams(form) }),
    });
    cookie = response.headers.get("set-cookie")?.split(";")[0] ?? cookie;
    return { status: response.status, location: response.headers.get("location") ?? "", text: await response.text() };
  };
}
