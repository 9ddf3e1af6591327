"use strict";

void import("../dist/cli.js");
