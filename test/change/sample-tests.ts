/** One test of `total` in each language, by its path. */
export const SAMPLES: Readonly<Record<string, string>> = {
  "a.test.js":
    'import { total } from "./cart";\n\ndescribe("cart", () => {\n  it("adds up", () => {\n    expect(total([1, 2])).toBe(3);\n  });\n});\n',
  "tests/test_cart.py": "import pytest\nfrom cart import total\n\n\ndef test_adds():\n    assert total([1, 2]) == 3\n",
  "cart_test.go":
    'package cart\n\nimport "testing"\n\nfunc TestAdds(t *testing.T) {\n\tif got := Total(1, 2); got != 3 {\n\t\tt.Errorf("got %d", got)\n\t}\n}\n',
  "src/test/java/a/CartTest.java":
    "package a;\n\nimport org.junit.jupiter.api.Test;\n\nclass CartTest {\n    @Test\n    void adds() {\n        assertEquals(3, Cart.total(1, 2));\n    }\n}\n",
  "spec/cart_spec.rb":
    'require "cart"\n\nRSpec.describe Cart do\n  it "adds up" do\n    expect(total([1, 2])).to eq(3)\n  end\nend\n',
  "src/cart.rs":
    "pub fn total() -> i32 { 3 }\n\n#[cfg(test)]\nmod tests {\n    use super::*;\n\n    #[test]\n    fn adds() {\n        assert_eq!(total(), 3);\n    }\n}\n",
  "tests/cart_test.cc": "#include <gtest/gtest.h>\n\nTEST(Cart, Adds) {\n  EXPECT_EQ(total(1, 2), 3);\n}\n",
  "test/CartTests.cs":
    "using Xunit;\n\npublic class CartTests\n{\n    [Fact]\n    public void Adds()\n    {\n        Assert.Equal(3, Cart.Total(1, 2));\n    }\n}\n",
  "tests/CartTest.php":
    "<?php\n\nclass CartTest extends TestCase\n{\n    public function testAdds(): void\n    {\n        $this->assertSame(3, total([1, 2]));\n    }\n}\n",
  "src/test/kotlin/a/CartTest.kt":
    "package a\n\nclass CartTest {\n    @Test\n    fun `adds up`() {\n        assertEquals(3, total(1, 2))\n    }\n}\n",
  "spec/cart_spec.lua":
    "describe('cart', function()\n  it('adds', function()\n    assert.equal(3, total(1, 2))\n  end)\nend)\n",
};

/** A sample with `from` replaced by `to`; throws where it has no `from`. */
export function edited(
  path: string,
  from: string | RegExp,
  to: string,
): readonly [path: string, before: string, after: string] {
  const before = SAMPLES[path] ?? "";
  const after = before.replace(from, to);
  if (after === before) throw new Error(`${path} has no ${from}`);
  return [path, before, after];
}
