import { formatProblems } from '../../document/format.js';
import type { Pipeline } from '../../pipeline/pipeline.js';
import { fromFolder } from '../terminal/exit.js';
import type { Io } from '../terminal/io.js';

/** Says on standard error what is legal in a profile and surely a mistake. */
export function tellWarnings({ warnings }: Pick<Pipeline, 'warnings'>, io: Pick<Io, 'err' | 'folder'>): void {
  if (warnings.length === 0) return;
  const near = warnings.map((warning) => fromFolder(warning, io.folder));
  io.err.write(`${formatProblems(near, { colour: io.err.colour })}\n`);
}
