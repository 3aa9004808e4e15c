#!/usr/bin/env node
/**
 * The command `assize`.
 *
 * @module
 */
import { AssizeError } from '../base/index.js';
import { runCommandLine } from './program.js';
import { EXIT_CODES, processIo } from './terminal/io.js';
import { reportFailure } from './terminal/problems.js';

const io = processIo();

/** Reports a run that can never finish: Node ends a process without pending work silently and with 0, promises or not. */
function reportUnfinished(): void {
  const message = 'nothing is left to wait for, and the run has not finished: a promise of an entry never resolves';
  const hint = 'give the entry a timeout: timeout: 5s';
  process.exitCode = reportFailure(new AssizeError([{ code: 'ASZ501', message, hint }]), io);
}

// Set first, for an end that runs no handler.
process.exitCode = EXIT_CODES.problems;
process.once('beforeExit', reportUnfinished);

// The code is set instead of calling process.exit: writes to a pipe may be pending.
void runCommandLine(process.argv.slice(2), io).then((code) => {
  process.off('beforeExit', reportUnfinished);
  process.exitCode = code;
});
