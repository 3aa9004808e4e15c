#!/usr/bin/env node
/**
 * The command `assize`.
 *
 * @module
 */
import { AssizeError } from '../contract/problem.js';
import { run } from './program.js';
import { explainFailure } from './terminal/exit.js';
import { EXIT } from './terminal/exit-codes.js';
import { processIo } from './terminal/io.js';

const io = processIo();

/** Node ends a process that waits for nothing, promises or not, and would do so silently and with 0. */
function unfinished(): void {
  const message =
    'nothing is left to wait for, and the run has not finished: something that was asked to prepare never answered';
  const hint = 'give the entry a timeout: timeout: 5s';
  process.exitCode = explainFailure(new AssizeError([{ code: 'ASZ501', message, hint }]), io);
}

// Said first, for an end that no handler sees.
process.exitCode = EXIT.problems;
process.once('beforeExit', unfinished);

// The code is set, not called for: what is written to a pipe is still on its way out.
void run(process.argv.slice(2), io).then((code) => {
  process.off('beforeExit', unfinished);
  process.exitCode = code;
});
