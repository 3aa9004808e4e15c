/**
 * Runs the command `assize` with the arguments of this process.
 *
 * @module
 */
import { AssizeError } from '../base/index.js';
import { runCommandLine } from './program.js';
import { EXIT_CODES, processIo } from './terminal/io.js';
import { reportFailure } from './terminal/problems.js';

const io = processIo();

/** Reports a run that can never finish. Without pending work, Node exits silently with 0 even if promises are pending. */
function reportUnfinished(): void {
  const message = 'the run cannot finish: a promise of an entry never resolves';
  const hint = 'add a timeout to the entry in the profile, such as timeout: 5s';
  process.exitCode = reportFailure(new AssizeError([{ code: 'ASZ501', message, hint }]), io);
}

// Set first, in case the process ends without running a handler.
process.exitCode = EXIT_CODES.problems;
process.once('beforeExit', reportUnfinished);

// The code is set instead of calling process.exit: writes to a pipe may be pending.
void runCommandLine(process.argv.slice(2), io).then((code) => {
  process.off('beforeExit', reportUnfinished);
  if (code !== undefined) process.exitCode = code;
});
