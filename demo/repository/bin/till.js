#!/usr/bin/env node
import { text } from "node:stream/consumers";
import { printInvoice } from "../src/print-invoice.js";

try {
  console.log(printInvoice(JSON.parse(await text(process.stdin))));
} catch (error) {
  console.error(`till: ${error.message}`);
  process.exitCode = 1;
}
