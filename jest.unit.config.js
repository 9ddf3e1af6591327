import whole from "./jest.config.js";
import { unitSuites } from "./test/unit-suites.js";

const { globalSetup: _bot, globalTeardown: _its, ...rest } = whole;

/**
 * `npm run test:unit`: every suite that starts no program. It needs no build. More workers than cores: three of the
 * suites wait for seconds, and would hold up a worker each.
 * @type {import("jest").Config}
 */
// biome-ignore lint/style/noDefaultExport: Jest takes its configuration as a default export
export default { ...rest, maxWorkers: 5, testMatch: unitSuites().map((path) => `<rootDir>/${path}`) };
