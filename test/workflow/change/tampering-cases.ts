import type { TamperingKind } from "../../../src/model/work.ts";

/** A change of one or more files, with its kinds of tampering; none for an honest one. */
export interface TamperingCase {
  readonly what: string;
  readonly files: readonly { readonly path: string; readonly before?: string; readonly after?: string }[];
  readonly kinds: readonly TamperingKind[];
}

export const one = (
  what: string,
  path: string,
  before: string | undefined,
  after: string | undefined,
  ...kinds: readonly TamperingKind[]
): TamperingCase => ({
  what,
  files: [{ path, before, after }],
  kinds,
});

/** The same test with the body `before` and with the body `after`. */
export const between = (what: string, path: string, wrap: (body: string) => string, before: string, after: string) =>
  [what, path, wrap(before), wrap(after)] as const;

export const jest = (body: string) => `import { total } from "./cart";\n\ndescribe("cart", () => {\n${body}\n});\n`;
export const adds = (inner: string) => `  it("adds up", () => {\n    ${inner}\n  });\n`;
export const python = (body: string) => `import pytest\nfrom cart import total\n\n\n${body}\n`;
export const go = (body: string) => `package cart\n\nimport "testing"\n\n${body}\n`;
export const java = (body: string) =>
  `package a;\n\nimport org.junit.jupiter.api.Test;\n\nclass CartTest {\n${body}\n}\n`;
export const ruby = (body: string) => `require "cart"\n\nRSpec.describe Cart do\n${body}\nend\n`;
export const rust = (body: string) =>
  `pub fn total() -> i32 { 3 }\n\n#[cfg(test)]\nmod tests {\n    use super::*;\n\n${body}\n}\n`;
export const cpp = (body: string) => `#include <gtest/gtest.h>\n\n${body}\n`;
export const csharp = (body: string) => `using Xunit;\n\npublic class CartTests\n{\n${body}\n}\n`;
export const php = (body: string) => `<?php\n\nclass CartTest extends TestCase\n{\n${body}\n}\n`;
export const kotlin = (body: string) => `package a\n\nclass CartTest {\n${body}\n}\n`;
export const swift = (body: string) => `import XCTest\n\nfinal class CartTests: XCTestCase {\n${body}\n}\n`;
export const elixir = (body: string) => `defmodule CartTest do\n  use ExUnit.Case\n\n${body}\nend\n`;
export const dart = (body: string) => `import 'package:test/test.dart';\n\nvoid main() {\n${body}\n}\n`;

export const JS = jest(adds("expect(total([1, 2])).toBe(3);"));
export const PY = python("def test_adds():\n    assert total([1, 2]) == 3");
export const GO = go(
  'func TestAdds(t *testing.T) {\n\tif got := Total(1, 2); got != 3 {\n\t\tt.Errorf("got %d", got)\n\t}\n}',
);
export const JAVA = java("    @Test\n    void adds() {\n        assertEquals(3, Cart.total(1, 2));\n    }");
export const RUBY = ruby('  it "adds up" do\n    expect(total([1, 2])).to eq(3)\n  end');
export const RUST = rust("    #[test]\n    fn adds() {\n        assert_eq!(total(), 3);\n    }");
export const CPP = cpp("TEST(Cart, Adds) {\n  EXPECT_EQ(total(1, 2), 3);\n}");
export const C =
  '#include "unity.h"\n\nvoid test_adds(void) {\n  TEST_ASSERT_EQUAL(3, total(1, 2));\n  assert(total(1, 2) == 3);\n}\n';
export const CSHARP = csharp(
  "    [Fact]\n    public void Adds()\n    {\n        Assert.Equal(3, Cart.Total(1, 2));\n    }",
);
export const PHP = php(
  "    public function testAdds(): void\n    {\n        $this->assertSame(3, total([1, 2]));\n    }",
);
export const KOTLIN = kotlin("    @Test\n    fun `adds up`() {\n        assertEquals(3, total(1, 2))\n    }");
export const SWIFT = swift("    func testAdds() {\n        XCTAssertEqual(total([1, 2]), 3)\n    }");
export const ELIXIR = elixir('  test "adds up" do\n    assert total([1, 2]) == 3\n  end');
export const DART = dart("  test('adds up', () {\n    expect(total([1, 2]), equals(3));\n  });");
