/** Keeps cookies like a browser on the pages' own host. */
export function createBrowser(url: string) {
  const cookies = new Map<string, string>();
  const set: string[] = [];
  const ask = async (path: string, init: RequestInit) => {
    const headers = { ...init.headers, cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; ") };
    const response = await fetch(url + path, { ...init, headers, redirect: "manual" });
    for (const cookie of response.headers.getSetCookie()) {
      set.push(cookie);
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      if (cookie.includes("Max-Age=0")) cookies.delete(name);
      else cookies.set(name, value);
    }
    return { status: response.status, location: response.headers.get("location") ?? "", text: await response.text() };
  };
  return {
    cookies,
    /** what was set, in order */
    set,
    get: (path: string) => ask(path, {}),
    post: (path: string, origin: string | undefined) =>
      ask(path, { method: "POST", headers: origin === undefined ? {} : { origin } }),
  };
}
