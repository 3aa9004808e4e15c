#!/usr/bin/env node
/**
 * The command `assize`.
 *
 * @module
 */
import { AssizeError } from '../diagnostics/problem.js';
import { run } from './program.js';
import { EXIT_CODES } from './terminal/exit-codes.js';
import { processIo } from './terminal/io.js';
import { reportFailure } from './terminal/report-failure.js';

const io = processIo();

/** Node ends a process that waits for nothing, promises or not, and would do so silently and with 0. */
function reportUnfinished(): void {
  const message =
    'nothing is left to wait for, and the run has not finished: something that was asked to prepare never answered';
  const hint = 'give the entry a timeout: timeout: 5s';
  process.exitCode = reportFailure(new AssizeError([{ code: 'ASZ501', message, hint }]), io);
}

// Said first, for an end that no handler sees.
process.exitCode = EXIT_CODES.problems;
process.once('beforeExit', reportUnfinished);

// The code is set, not called for: what is written to a pipe is still on its way out.
void run(process.argv.slice(2), io).then((code) => {
  process.off('beforeExit', reportUnfinished);
  process.exitCode = code;
});
