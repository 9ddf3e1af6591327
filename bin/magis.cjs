#!/usr/bin/env node
"use strict";

require("./needs-node.cjs");
// In a file of its own, since a very old Node cannot parse `import()`.
require("./start.cjs");
