import { expect, it } from "@jest/globals";
import { mark } from "../../src/data/marks.ts";

it.each(["a -->", "a\n", "<b", " "])("a mark holds no value that could end it and go on as text: %j", (value) => {
  expect(() => mark("run", "r", value)).toThrow('A hidden mark "run" cannot hold');
  expect(mark("run", "ana/shop#7@d-1", 2)).toBe("<!-- magis:run ana/shop#7@d-1 2 -->");
});
