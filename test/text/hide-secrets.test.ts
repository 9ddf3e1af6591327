import { describe, expect, it } from "@jest/globals";
import { hideSecrets, withoutSecrets } from "../../src/text/hide-secrets.ts";
import { fc } from "../seeded.ts";

const KEY = "sk-live-9QwErTyUiOpAsDfGhJkLzXcVbNm1234567890abcdefGHIJK";

/** Whether the text holds eight consecutive characters of the secret. */
function holdsPart(text: string, secret: string): boolean {
  for (let at = 0; at + 8 <= secret.length; at += 1) if (text.includes(secret.slice(at, at + 8))) return true;
  return false;
}

const key = fc.string({ unit: fc.constantFrom(..."abcXYZ019-_.+/="), minLength: 12, maxLength: 60 });
const around = fc.string({ maxLength: 40 });

describe("hideSecrets", () => {
  it("leaves no part of a secret, however much of it is quoted", () => {
    fc.assert(
      fc.property(key, around, around, fc.nat(60), fc.nat(60), (secret, before, after, from, length) => {
        const quoted = `${before}${secret.slice(from, from + length)}${after}${secret}`;
        expect(holdsPart(hideSecrets(quoted, [secret]), secret)).toBe(false);
      }),
    );
  });

  it.each([
    ["a whole key", `wrong key: ${KEY}.`, "wrong key: [secret]."],
    ["the beginning of a key", `wrong key: ${KEY.slice(0, 29)}…`, "wrong key: [secret]…"],
    ["a key twice", `${KEY} ${KEY}`, "[secret] [secret]"],
    ["a token of GitHub", "ghs_abcdefghijk was refused", "[secret] was refused"],
    ["a password in an address", "postgres://me:hunter22@host/db", "postgres://[secret]@host/db"],
    ["nothing of it", "nothing to hide here", "nothing to hide here"],
  ])("hides %s", (_, text, shown) => {
    expect(hideSecrets(text, [KEY])).toBe(shown);
  });

  it("hides a short secret as a whole, and ignores texts too short to be one", () => {
    expect(hideSecrets("the password hunter2 is wrong, abc", ["hunter2", "abc"])).toBe(
      "the password [secret] is wrong, abc",
    );
    expect(hideSecrets("p%40ss-word", ["p@ss-word"])).toBe("[secret]");
  });
});

describe("withoutSecrets", () => {
  it("cleans message, stack and causes, and drops the error's other properties", () => {
    const inner = new Error(`inner ${KEY}`);
    const outer = Object.assign(new Error(`outer ${KEY}`, { cause: inner }), {
      code: "E401",
      headers: { authorization: KEY },
    });
    const plain = withoutSecrets(outer, [KEY]);
    expect(plain).toMatchObject({ message: "outer [secret]", code: "E401", cause: { message: "inner [secret]" } });
    expect(plain).not.toHaveProperty("headers");
    const everything = JSON.stringify([plain.stack, (plain.cause as Error).stack]);
    expect(holdsPart(everything, KEY)).toBe(false);
  });

  it("accepts anything thrown, and circular causes", () => {
    const loop = new Error("loop");
    loop.cause = loop;
    expect(withoutSecrets(loop).message).toBe("loop");
    expect(withoutSecrets(`thrown ${KEY}`, [KEY]).message).toBe("thrown [secret]");
  });
});
