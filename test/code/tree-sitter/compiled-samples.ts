import type { Sample } from "./sample.ts";

const GO: Sample = {
  path: "store/store.go",
  text: `package store

const Limit = 3

var a, b = 1, 2

type Store struct {
	size int
}

type Opener interface {
	Open() error
}

// helper is a helper
func helper(x string) string {
	y := x
	return y
}

func (s *Store) Get(key string) string {
	return helper("helper" + key)
}
`,
  symbols: [
    "constant Limit 3-3",
    "variable a 5-5",
    "variable b 5-5",
    "struct Store 7-9",
    "field size 8-8 Store",
    "interface Opener 11-13",
    "method Open 12-12 Opener",
    "function helper 16-19",
    "method Get 21-23 Store",
  ],
  references: [16, 22],
  fault: { from: "\ty := x", to: "\ty := := x", lines: [17] },
};

const JAVA: Sample = {
  path: "src/Store.java",
  text: `package store;

/** helper */
public class Store<T> extends Base {
  static final int LIMIT = 3;

  Store() {}

  @Override
  String helper(String x) {
    String y = x;
    return y;
  }

  enum Colour { RED }

  record Pair(int a) {}

  interface Opener {
    String open(); // helper
  }

  String get() { return "helper" + helper("x"); }
}
`,
  symbols: [
    "class Store 4-24",
    "field LIMIT 5-5 Store",
    "constructor Store 7-7 Store",
    "method helper 9-13 Store",
    "enum Colour 15-15 Store",
    "constant RED 15-15 Colour",
    "record Pair 17-17 Store",
    "interface Opener 19-21 Store",
    "method open 20-20 Opener",
    "method get 23-23 Store",
  ],
  references: [10, 23],
  fault: { from: "    String y = x;", to: "    String y = x", lines: [11, 12] },
};

const RUST: Sample = {
  path: "src/store.rs",
  text: `const LIMIT: u8 = 3;

pub struct Store<T> {
    size: T,
}

pub trait Opener {
    fn open(&self);
}

impl<T> Opener for Store<T> {
    fn open(&self) {}
}

mod inner {
    // helper
    pub fn helper(x: u8) -> u8 {
        let y = x;
        y
    }
}

macro_rules! shout {
    () => {};
}

fn main() {
    println!("helper {}", inner::helper(LIMIT));
}
`,
  symbols: [
    "constant LIMIT 1-1",
    "struct Store 3-5",
    "field size 4-4 Store",
    "trait Opener 7-9",
    "method open 8-8 Opener",
    "impl Store 11-13",
    "method open 12-12 Store",
    "module inner 15-21",
    "function helper 17-20 inner",
    "macro shout 23-25",
    "function main 27-29",
  ],
  references: [17, 28],
  fault: { from: "        let y = x;", to: "        let y = x", lines: [18] },
};

/** Go, Java, Rust. */
export const COMPILED_SAMPLES: readonly Sample[] = [GO, JAVA, RUST];
