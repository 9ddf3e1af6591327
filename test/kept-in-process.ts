const kept: { [name: symbol]: unknown } = Object(process);

/**
 * What is dear to make and the same for all, made once a process: Jest loads what is ours anew for each test file, and a constant
 * of a module with it.
 */
export function keptInProcess<T>(name: string, make: () => T): T {
  const key = Symbol.for(`magis.test.${name}`);
  kept[key] ??= make();
  return kept[key] as T;
}
