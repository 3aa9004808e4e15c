import { resolve } from 'node:path';
import { type CallBudget, type Context, type PlanOverrides, type ProfileOrPipeline, toAssizeError } from 'assize';
import { checkOptions, startSharedRun, titledFormat } from 'assize/internal';
import { isMap } from 'assize/sdk';
import {
  type ByteInput,
  fileInput,
  httpInput,
  type HttpInputOptions,
  isUrl,
  notInPartsError,
  readLinesOf,
  shownName,
} from './job-input.js';
import {
  type BytesOfJob,
  digestOf,
  fingerprintOf,
  type Job,
  JOB_FORMAT,
  jobText,
  type RowsOfJob,
  withId,
} from './job.js';

/** The options of `createJob`: weights and limits as for `rank`. A `top`, here or in the profile, limits every part. */
export interface JobOptions extends PlanOverrides {
  /** The base of relative paths. Defaults to the working directory. */
  readonly folder?: string | undefined;
  /** As for `rank`. */
  readonly budget?: CallBudget | undefined;
  /** The bytes of a shard. Defaults to a megabyte, or to more if there would be over 10,000 shards. */
  readonly shardBytes?: number | undefined;
  /** false: never generate code, as for `createPipeline`. */
  readonly codegen?: boolean | undefined;
}

/**
 * The input of a job: the path or URL of JSON Lines, a function that reads JSON Lines, or a number of parts whose
 * candidates are passed to each call of `partial`.
 */
export type JobInput = string | ByteInput | { readonly parts: number };

const PARQUET_HINT =
  'rankFile and assize rank --workers share its row groups among the threads of one machine; for several machines, write its rows to a file of JSON Lines';

const SHARD_BYTES = 1024 * 1024;
const MAX_SHARDS = 10_000;

/**
 * Creates a job: a ranking that several machines share. Computes the time, the limits and the signals once. Reads an
 * input without an `etag` once, to compute the digests of its shards.
 *
 * ```ts
 * const job = await createJob('./team.yaml', 'repos.jsonl', {}, { top: 10 });
 * ```
 *
 * @param given a preset's name, a path, a text, the profile itself as plain data, or a pipeline of one of these
 * @param context the context of this request, as for `rank`; plain data
 * @throws AssizeError with every problem of the profile; if an entry needs all candidates (ASZ518), the input cannot be
 *   read in parts (ASZ581), or a value is not plain data (ASZ580)
 */
export async function createJob(
  given: ProfileOrPipeline<object>,
  input: JobInput,
  context: Context = {},
  options: JobOptions = {},
): Promise<Job> {
  checkOptions('createJob', options, {
    folder: 'string',
    budget: 'anything',
    shardBytes: { integerFrom: 1 },
    codegen: 'boolean',
    weights: 'anything',
    top: 'anything',
    minScore: 'anything',
    offset: 'anything',
    seed: 'anything',
  });
  const { shardBytes, ...call } = options;
  const started = await startSharedRun(given, context, { ...call, mayEmbed: !isRows(input) });
  const { profile, folder, codegen, work, run } = started;
  const job = withId({
    format: JOB_FORMAT,
    profile,
    codegen,
    budget: call.budget,
    work,
    run,
    input: isRows(input) ? rowsOf(input) : await shardsOf(await openInput(input, folder), shardBytes),
    fingerprint: await fingerprintOf(profile, folder),
  });
  jobText(job); // throws if it is not plain data
  return job;
}

const isRows = (input: JobInput): input is { readonly parts: number } => isMap(input) && 'parts' in input;

function rowsOf({ parts }: { readonly parts: number }): RowsOfJob {
  if (Number.isSafeInteger(parts) && parts >= 0) return { kind: 'rows', parts };
  throw toAssizeError([
    { code: 'ASZ533', message: `parts is ${String(parts)}; expected a whole number of at least 0` },
  ]);
}

/**
 * Opens the input that a job names.
 *
 * @param http the options of requests, if it has a URL
 * @throws AssizeError if it cannot be read (ASZ101), or not in parts (ASZ581)
 */
export async function openInput(
  input: string | ByteInput,
  folder: string | undefined,
  http?: HttpInputOptions,
): Promise<ByteInput> {
  if (typeof input !== 'string') return input;
  const path = isUrl(input) ? input : resolve(folder ?? '.', input);
  const found = await (isUrl(input) ? titledFormat(shownName(input), false) : titledFormat(path, true));
  if (found && found.format !== 'jsonl') {
    const message = `${shownName(input)} is ${found.title}, and a job needs JSON Lines`;
    throw notInPartsError(message, found.format === 'parquet' ? PARQUET_HINT : undefined);
  }
  return isUrl(input) ? httpInput(input, http) : fileInput(path, input);
}

/** Cuts an input into shards. Reads it once if it has no `etag`. */
export async function shardsOf(input: ByteInput, wanted: number | undefined): Promise<BytesOfJob> {
  const { name, size, etag } = input;
  const shardBytes = wanted ?? Math.max(SHARD_BYTES, Math.ceil(size / MAX_SHARDS));
  const known: BytesOfJob = { kind: 'bytes', name, size, shardBytes, etag, digests: [] };
  if (etag !== undefined) return known;
  const digests: string[] = [];
  for (let index = 0; index < Math.ceil(size / shardBytes); index++) {
    // oxlint-disable-next-line no-await-in-loop -- holds one shard in memory
    const { bytes } = await readLinesOf(input, known, index);
    digests.push(digestOf(bytes));
  }
  return { ...known, digests };
}
