// Jest gives each test file its own globals, but Node's modules throw errors of the outer ones. This makes `instanceof`
// accept both, as outside of Jest. See https://github.com/jestjs/jest/issues/2549.
const ordinary = Function.prototype[Symbol.hasInstance];

function isNamed(value, name) {
  if (typeof value !== "object" || value === null) return false;
  const parent = Object.getPrototypeOf(value);
  return parent?.constructor?.name === name || isNamed(parent, name);
}

for (const type of [Error, RangeError, SyntaxError, TypeError]) {
  Object.defineProperty(type, Symbol.hasInstance, {
    value(value) {
      // Subclasses inherit this check.
      return ordinary.call(this, value) || (this === type && isNamed(value, type.name));
    },
  });
}
