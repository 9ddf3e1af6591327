import type { Sample } from "./sample.ts";

const RUBY: Sample = {
  path: "lib/store.rb",
  text: `module Shop
  # helper
  class Store < Base
    LIMIT = 3
    local = 1

    def self.helper(x)
      y = x
      y
    end

    def get(key)
      "helper #{Store.helper(key)}"
    end
  end
end
`,
  symbols: [
    "module Shop 1-16",
    "class Store 3-15 Shop",
    "constant LIMIT 4-4 Store",
    "method helper 7-10 Store",
    "method get 12-14 Store",
  ],
  references: [7, 13],
  fault: { from: "      y = x", to: "      y = (x", lines: [8, 9] },
};

const C: Sample = {
  path: "src/store.c",
  text: `#define LIMIT 3
/* helper */
typedef struct store {
  int size;
} store_t;

static char *helper(int new) {
  int class = new;
  return names[class];
}

int proto(int);

char *get(store_t *store) { return helper(store->size) ? "helper" : 0; }
`,
  symbols: [
    "macro LIMIT 1-1",
    "type store_t 3-5",
    "struct store 3-5 store_t",
    "field size 4-4 store",
    "function helper 7-10",
    "function proto 12-12",
    "function get 14-14",
  ],
  references: [7, 14],
  fault: { from: "  int class = new;", to: "  int class = new", lines: [8, 9] },
};

const CPP: Sample = {
  path: "src/store.cc",
  text: `namespace shop {
class Store : public Base {
 public:
  int helper(int x);
  int get() { return helper(1); }  // helper
};

template <class T>
T twice(T a) { return a; }
}  // namespace shop

int shop::Store::helper(int x) {
  int y = x;
  return y;
}
`,
  symbols: [
    "module shop 1-10",
    "class Store 2-6 shop",
    "method get 5-5 Store",
    "function twice 8-9 shop",
    "method helper 12-15 Store",
  ],
  references: [4, 5, 12],
  fault: { from: "  int y = x;", to: "  int y = x", lines: [13, 14] },
};

const CSHARP: Sample = {
  path: "src/Store.cs",
  text: `namespace Shop;

/// <summary>Helper</summary>
public class Store : Base
{
    const int Limit = 3;
    public int Size { get; set; }

    string Helper(string x)
    {
        var y = x;
        return y;
    }

    enum Colour { Red }

    string Get() => $"Helper {Helper("Helper")}";
}
`.replaceAll("Helper", "helper"),
  symbols: [
    "module Shop 1-1",
    "class Store 4-18",
    "field Limit 6-6 Store",
    "property Size 7-7 Store",
    "method helper 9-13 Store",
    "enum Colour 15-15 Store",
    "constant Red 15-15 Colour",
    "method Get 17-17 Store",
  ],
  references: [9, 17],
  fault: { from: "        var y = x;", to: "        var y = = x;", lines: [11] },
};

const PHP: Sample = {
  path: "src/Store.php",
  text: `<?php
namespace Shop;

// helper
abstract class Store extends Base {
  const LIMIT = 3;
  public $size = 1;

  public static function helper($x) {
    $y = $x;
    return $y;
  }

  function get() {
    return "helper" . self::helper(1);
  }
}

interface Opener {
  function open();
}
`,
  symbols: [
    "module Shop 2-2",
    "class Store 5-17",
    "constant LIMIT 6-6 Store",
    "field size 7-7 Store",
    "method helper 9-12 Store",
    "method get 14-16 Store",
    "interface Opener 19-21",
    "method open 20-20 Opener",
  ],
  references: [9, 15],
  fault: { from: "    $y = $x;", to: "    $y = $x", lines: [10] },
};

/** C and its family, Ruby and PHP. */
export const FAMILY_SAMPLES: readonly Sample[] = [RUBY, C, CPP, CSHARP, PHP];
