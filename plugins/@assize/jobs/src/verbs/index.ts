/**
 * The command that this package adds to `assize`.
 *
 * @module
 */

import type { Verb } from 'assize/verbs';
import { jobsControl } from './control.js';
import { jobsRank } from './rank.js';
import { jobsWorker } from './worker.js';

const HELP = `
The command cuts a file into parts, workers on any number of machines rank the
parts, and the command merges their results. The result is identical to that of
one machine. This needs a Redis server.

Examples:
  assize jobs worker --queue redis://127.0.0.1:6379
  assize jobs rank --queue redis://127.0.0.1:6379 -p ./team.yaml repos.jsonl
  assize jobs status --queue redis://127.0.0.1:6379`;

/** `assize jobs`: rankings that several machines share. */
const jobs: Verb = {
  name: 'jobs',
  summary: 'rank a file with workers on several machines',
  declare(command, io) {
    command
      .description('Ranks a file with workers that share a queue, and controls its jobs.')
      .helpCommand(false)
      .addHelpText('after', HELP);
    jobsRank(command.command('rank'), io);
    jobsWorker(command.command('worker'), io);
    jobsControl(command, io);
  },
};

export const verbs: readonly Verb[] = [jobs];
