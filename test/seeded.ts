/**
 * fast-check with a fixed seed, so that the suite gives the same answer twice. A new property is tried with many:
 * `SEED=7 npm run jest -- …`.
 */
import fc from "fast-check";

fc.configureGlobal({ seed: Number(process.env.SEED ?? 1) });

export { fc };
