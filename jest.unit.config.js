import whole from "./jest.config.js";
import { unitSuites } from "./test/unit-suites.js";

const { globalSetup: _bot, globalTeardown: _its, ...rest } = whole;

/**
 * `npm run test:unit`: every suite that starts no program. It needs no build.
 * @type {import("jest").Config}
 */
// biome-ignore lint/style/noDefaultExport: Jest takes its configuration as a default export
export default { ...rest, testMatch: unitSuites().map((path) => `<rootDir>/${path}`) };
