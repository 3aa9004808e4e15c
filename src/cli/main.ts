#!/usr/bin/env node
/**
 * The command `assize`.
 *
 * @module
 */
import { processIo } from './io.js';
import { run } from './program.js';

// The code is set, not called for: what is written to a pipe is still on its way out.
void run(process.argv.slice(2), processIo()).then((code) => {
  process.exitCode = code;
});
