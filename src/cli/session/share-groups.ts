import { formatProblem } from '../../base/index.js';
import type { CallBudget } from '../../engine/index.js';
import { type InputFormat, noCandidatesWarning } from '../../data/node.js';
import type { GroupContexts, GroupEvents, GroupsOutput, GroupsRun, SharedGroups } from '../../scale/parts/index.js';
import { shareGroups } from '../../scale/threads/index.js';
import { type InputOptions, type OverrideOptions, overridesOf, type WorkersOptions } from '../options.js';
import type { Io } from '../terminal/io.js';
import { absentError, absentFieldsError, type GroupedRows } from './groups.js';
import { checkCandidateFile, type CliSession } from './session.js';

/** The groups of a file that threads may rank. */
export interface ThreadedGroups extends WorkersOptions, InputOptions, OverrideOptions {
  readonly partitionBy: string;
  readonly budget?: CallBudget;
  readonly contexts: GroupContexts;
  readonly rows: GroupedRows;
  readonly output: GroupsOutput;
}

/**
 * Ranks the groups of a file in several threads.
 *
 * @returns undefined if one thread must do it. A line on standard error says why.
 */
export async function rankGroupsInThreads(
  session: CliSession,
  file: string | undefined,
  { workers = 1, partitionBy: by, budget, contexts, rows, output, input, absent, ...overrides }: ThreadedGroups,
  io: Io,
): Promise<SharedGroups | undefined> {
  if (workers <= 1) return undefined;
  const refuse = (reason: string | undefined): undefined => {
    if (reason !== undefined) io.err.write(`one thread: ${reason}\n`);
    return undefined;
  };
  if (file === undefined || file === '-') return refuse('standard input can only be read from its beginning');
  checkCandidateFile(file, input);
  const shared = await shareGroups(session, file, {
    workers,
    run: {
      by,
      now: session.compiled.plan.clock.now(),
      overrides: overridesOf(overrides),
      budget,
      contexts,
      output,
    },
    fields: rows.fields,
    input,
    absent,
    progress: io.progress,
    absentError: (paths) => absentFieldsError(file, by, paths, rows),
    onEmpty: (format) => warnIfNoCandidates(file, format, io),
  });
  return 'reason' in shared ? refuse(shared.reason) : shared;
}

/** Ranks the groups of a file of JSON Lines elsewhere, such as on other machines. */
export type ShareGroups = (run: GroupsRun, events: GroupEvents) => SharedGroups;

/** The reports of a file, as one process writes them. */
export const shareEvents = (file: string, by: string, io: Io): GroupEvents => ({
  onEmpty: () => warnIfNoCandidates(file, 'jsonl', io),
  absentError: (paths, first) => absentError(file, by, paths, first),
});

function warnIfNoCandidates(file: string, format: InputFormat | undefined, { err }: Io): void {
  const warning = noCandidatesWarning(file, format);
  if (warning) err.write(`${formatProblem(warning, { colour: err.colour })}\n`);
}
