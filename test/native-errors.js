// Each test file has globals of its own, and what Node's modules throw is made by others of the same names. What is tested
// sees those as it does outside of Jest. See https://github.com/jestjs/jest/issues/2549.
const ordinary = Function.prototype[Symbol.hasInstance];

function isNamed(value, name) {
  if (typeof value !== "object" || value === null) return false;
  const parent = Object.getPrototypeOf(value);
  return parent?.constructor?.name === name || isNamed(parent, name);
}

for (const type of [Error, RangeError, SyntaxError, TypeError]) {
  Object.defineProperty(type, Symbol.hasInstance, {
    value(value) {
      // Classes that extend this one ask here too.
      return ordinary.call(this, value) || (this === type && isNamed(value, type.name));
    },
  });
}
