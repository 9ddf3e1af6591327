import type { Sample } from "./sample.ts";

const PYTHON: Sample = {
  path: "app/store.py",
  text: `"""helper is named here"""
LIMIT = 3

@cached
def helper(x):
    local = x
    return local

class Store(Base):
    size = 1

    async def get(self, key):
        # helper is not used here
        return f"helper {helper(key)}"
`,
  symbols: [
    "constant LIMIT 2-2",
    "function helper 4-7",
    "class Store 9-14",
    "constant size 10-10 Store",
    "method get 12-14 Store",
  ],
  references: [5, 14],
  fault: { from: "    return local", to: "    return (local", lines: [7, 9] },
};

const JAVASCRIPT: Sample = {
  path: "lib/store.mjs",
  text: `const path = require("path");
// helper
export const LIMIT = 3;
const helper = (x) => {
  const local = x;
  return local;
};
export default class Store extends Base {
  #size = 1;
  get(key) {
    return \`helper \${helper(key)}\` + "helper";
  }
}
exports.open = function () {};
Store.prototype.close = function () {};
`,
  symbols: [
    "constant LIMIT 3-3",
    "function helper 4-7",
    "class Store 8-13",
    "field #size 9-9 Store",
    "method get 10-12 Store",
    "function open 14-14",
    "method close 15-15 Store",
  ],
  references: [4, 11],
  fault: { from: "  const local = x;", to: "  const local = = x;", lines: [5] },
};

const TYPESCRIPT: Sample = {
  path: "src/store.ts",
  text: `export interface Shape {
  area(): number;
}
type Name = string;
enum Colour {
  Red,
}
namespace Inner {
  export function helper(x: Name): Name {
    return x; // helper
  }
}
export abstract class Store<T> {
  private size = 1;
  abstract open(): void;
  get = (key: Name) => Inner.helper(key as string);
}
`,
  symbols: [
    "interface Shape 1-3",
    "method area 2-2 Shape",
    "type Name 4-4",
    "enum Colour 5-7",
    "module Inner 8-12",
    "function helper 9-11 Inner",
    "class Store 13-17",
    "field size 14-14 Store",
    "method open 15-15 Store",
    "method get 16-16 Store",
  ],
  references: [9, 16],
  fault: { from: "    return x; // helper", to: "    return x );", lines: [10] },
};

const TSX: Sample = {
  path: "src/view.tsx",
  text: `const helper = (x: string) => x;
export const View = ({ name }: Props) => {
  return <b title="helper">helper {helper(name)}</b>;
};
`,
  symbols: ["function helper 1-1", "function View 2-4"],
  references: [1, 3],
  fault: { from: "const helper = (x: string) => x;", to: "const helper = (x: string => x;", lines: [1] },
};

/** Python, JavaScript, TypeScript and TSX. */
export const SCRIPT_SAMPLES: readonly Sample[] = [PYTHON, JAVASCRIPT, TYPESCRIPT, TSX];
