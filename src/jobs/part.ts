import { isObject, toAssizeError } from '../diagnostics/index.js';
import type { RankPart } from '../workers/index.js';
import { encode } from './codec.js';
import { decodeOrThrow, type Job, JOB_FORMAT, notAJobError, partsOf } from './job.js';

/** What is known of a part whose texts were embedded. The vectors themselves are beside the input. */
export interface EmbeddedPart {
  readonly lines: number;
  /** How many different texts it has. */
  readonly texts: number;
  /** How many of them had no vector before. */
  readonly made: number;
}

/** A part as it is read: ranked or embedded, as its job says, or the message of the error that it has failed with. */
export type PartContent =
  | { readonly ranked: RankPart }
  | { readonly embedded: EmbeddedPart }
  | { readonly failed: string };

/** A part as one line of text. */
export const partText = (job: Job, index: number, content: PartContent): string =>
  encode({ format: JOB_FORMAT, job: job.id, index, ...content });

/**
 * The content of a part.
 *
 * @throws AssizeError where the text is no part (ASZ575), or that of another job or position (ASZ578)
 */
export function readPart(job: Job, index: number, text: string): PartContent {
  checkIndex(job, index);
  const part = decodeOrThrow(text, 'part');
  if (part['format'] !== JOB_FORMAT) {
    throw notAJobError('part', `its format is ${JSON.stringify(part['format'])}, and here it is ${JOB_FORMAT}`);
  }
  const { job: of, ranked, embedded, failed } = part;
  if (of !== job.id) throw otherPartError(`the part is of job ${String(of)}, and not of job ${job.id}`);
  if (part['index'] !== index) throw otherPartError(`part ${String(part['index'])} was taken for part ${index}`);
  if (typeof failed === 'string') return { failed };
  if (job.work === 'rank' && isRankPart(ranked)) return { ranked };
  if (job.work === 'embed' && isEmbeddedPart(embedded)) return { embedded };
  throw notAJobError('part', 'what it comes to is not all there');
}

/** @throws AssizeError (ASZ578) where a job has no such part */
export function checkIndex(job: Job, index: number): void {
  const parts = partsOf(job);
  if (Number.isInteger(index) && index >= 0 && index < parts) return;
  throw otherPartError(`there is no part ${index}: the job has ${parts}, from 0 on`);
}

const otherPartError = (message: string): Error => toAssizeError([{ code: 'ASZ578', message }]);

/** Whether a value has the shape of a ranked part. A machine that may write parts is trusted with their numbers. */
function isRankPart(value: unknown): value is RankPart {
  if (!isObject(value) || !isObject(value['aggregates']) || !isObject(value['retained'])) return false;
  const { totals, indexes, offsets, lengths, candidates, keys } = value['retained'];
  const lists = [value['unseen'], value['failures'], value['sample'], candidates, keys];
  const columns = [totals, indexes, offsets, lengths];
  return (
    typeof value['lines'] === 'number' &&
    typeof value['unreadable'] === 'boolean' &&
    lists.every(Array.isArray) &&
    columns.every((column) => column instanceof Float64Array)
  );
}

const isEmbeddedPart = (value: unknown): value is EmbeddedPart =>
  isObject(value) && ['lines', 'texts', 'made'].every((key) => Number.isSafeInteger(value[key]));
