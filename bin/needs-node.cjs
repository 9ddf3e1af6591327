"use strict";

// Any Node can read this file, so that an old one gets a sentence and not a syntax error.
var runsSources = /\.ts$/.test(process.argv[1] || "");
var wanted = runsSources ? "22.18" : require("../package.json").engines.node.replace(/[^\d.]/g, "");
var least = wanted.split(".").map(Number);
var own = process.versions.node.split(".").map(Number);

var message = "MAGIS needs Node.js " + wanted + " or later, and " + process.execPath + " is " + process.version + ". ";

if (own[0] < least[0] || (own[0] === least[0] && own[1] < least[1])) {
  process.stderr.write(message + "Install a newer one, or put it first on your PATH, and give the command again.\n");
  process.exit(1);
}
