import { extname } from 'node:path';
import { formatByExtension, type InputFormat } from '../../input/codecs.js';
import { noCandidatesWarning } from '../../input/read-candidates.js';
import type { TopRanking } from '../../stream/top-ranking.js';
import type { Io } from '../terminal/io.js';
import { writeProblems } from '../terminal/problems.js';

/** Where candidates came from: files of one format, or a table. */
interface CandidateOrigin {
  readonly files: readonly string[];
  readonly table?: string | undefined;
  /** Of the files, where their endings do not say it. */
  readonly format?: InputFormat;
}

/** Warns where a ranking was given no candidates (ASZ717), as it is said of what this process reads by itself. */
export function warnOfNoCandidates(
  { counts }: Pick<TopRanking<object>, 'counts'>,
  { files, table, format = formatByExtension(extname(files[0] ?? '')) }: CandidateOrigin,
  io: Pick<Io, 'err' | 'folder'>,
): void {
  if (counts.given > 0) return;
  const name = files.length === 1 ? files[0]! : `${files.length} files`;
  const warning = table === undefined ? noCandidatesWarning(name, format) : noCandidatesWarning(`table ${table}`);
  if (warning) writeProblems([warning], io);
}
