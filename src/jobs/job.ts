import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { SHIPPED_PLUGINS } from '../compose.js';
import { effectiveProfile } from '../container.js';
import { isObject, toAssizeError, toError } from '../diagnostics/index.js';
import { isMap } from '../expression/index.js';
import type { CallBudget, ProfileSource } from '../index.js';
import { packageRoot } from '../input/package-root.js';
import { isFileSpec } from '../profile/index.js';
import type { RankPart, Shard, SharedRun } from '../workers/index.js';
import { decode, encode } from './codec.js';

/** The version of the format of jobs and parts. Another one is refused. */
export const JOB_FORMAT = 1;

/** Bytes of JSON Lines, cut into shards: each has the lines that begin in it. */
export interface BytesOfJob {
  readonly kind: 'bytes';
  /** A path, or a URL. */
  readonly name: string;
  readonly size: number;
  /** Each shard but the last begins so many bytes after the one before. */
  readonly shardBytes: number;
  /** The version of the input, where its store has one; else there are digests. */
  readonly etag: string | undefined;
  /** By shard, of its lines; empty where there is an `etag`. */
  readonly digests: readonly string[];
}

/** Candidates that come with the call: so many parts of them, in this order. */
export interface RowsOfJob {
  readonly kind: 'rows';
  readonly parts: number;
}

/**
 * A ranking that several machines share: what each must know to compute its parts. Plain data; `jobText` writes it, and
 * `readJob` reads it.
 */
export interface Job {
  readonly format: typeof JOB_FORMAT;
  /** A digest of all the rest: two jobs of one id are the same. */
  readonly id: string;
  /** A preset's name, a path, a text or the profile itself. Relative paths start from the folder of each machine. */
  readonly profile: ProfileSource;
  readonly codegen: boolean;
  readonly budget: CallBudget | undefined;
  /**
   * What its parts are: ranked, where each candidate is scored alone; else their texts are embedded, and whoever merges
   * them ranks all candidates in their order.
   */
  readonly work: 'rank' | 'embed';
  /** Limits, weights, time, context and signals: computed once, where the job was made. */
  readonly run: SharedRun;
  readonly input: BytesOfJob | RowsOfJob;
  readonly fingerprint: Fingerprint;
}

/** A job with its id. */
export const withId = (job: Omit<Job, 'id'>): Job => ({ ...job, id: digestOf(encode(job)) });

/** How many parts a job has: they are numbered from 0 on. */
export const partsOf = ({ input }: Job): number =>
  input.kind === 'rows' ? input.parts : Math.ceil(input.size / input.shardBytes);

/** The bytes of a shard. */
export const shardOf = ({ size, shardBytes }: BytesOfJob, index: number): Shard => {
  return { from: index * shardBytes, to: Math.min(size, (index + 1) * shardBytes) };
};

/**
 * A job as one line of text.
 *
 * @throws AssizeError (ASZ580) where its profile or context is no plain data
 */
export const jobText = (job: Job): string => encode(job);

/**
 * The job that `jobText` wrote.
 *
 * @throws AssizeError (ASZ575) where the text is none, or of another version
 */
export function readJob(text: string): Job {
  const job = decodeOrThrow(text, 'job');
  if (job['format'] !== JOB_FORMAT) {
    throw notAJobError('job', `its format is ${JSON.stringify(job['format'])}, and here it is ${JOB_FORMAT}`);
  }
  const { id, ...rest } = job;
  if (id !== digestOf(encode(rest))) throw notAJobError('job', 'it was changed since it was written');
  return job as unknown as Job;
}

/** @throws AssizeError (ASZ575) */
export function decodeOrThrow(text: string, kind: 'job' | 'part'): Readonly<Record<string, unknown>> {
  let decoded: unknown;
  try {
    decoded = decode(text);
  } catch (error) {
    throw notAJobError(kind, toError(error).message);
  }
  if (isMap(decoded)) return decoded;
  throw notAJobError(kind, 'it is no object');
}

/** The error of a text that is no job, or no part of one. */
export const notAJobError = (kind: 'job' | 'part', reason: string): Error =>
  toAssizeError([{ code: 'ASZ575', message: `the text is no ${kind} of this version: ${reason}` }]);

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

/**
 * What decides the scores on a machine. Two machines with equal fingerprints compute the same of the same candidates, as
 * far as units read nothing else: a model or a file that a unit opens by itself is not in it.
 */
export interface Fingerprint {
  /** The version of Assize. */
  readonly assize: string;
  /** The major version of Node: another V8 may differ in the last bit of `exp`, another ICU in what is lower case. */
  readonly node: string;
  /** A digest of the profile with all that it extends. */
  readonly profile: string;
  /** By each plugin that does not ship: a digest of its module. */
  readonly plugins: Readonly<Record<string, string>>;
}

/** SHA-256, of which 128 bits are more than enough to tell things apart. */
export const digestOf = (content: string | Uint8Array): string =>
  createHash('sha256').update(content).digest('hex').slice(0, 32);

/**
 * The fingerprint of a profile on this machine.
 *
 * @param folder what relative paths start from
 */
export async function fingerprintOf(profile: ProfileSource, folder: string | undefined): Promise<Fingerprint> {
  const effective = await effectiveProfile(profile, folder === undefined ? {} : { folder });
  const { version } = JSON.parse(await readFile(join(packageRoot(), 'package.json'), 'utf8')) as { version: string };
  const specs = effective['plugins'] ?? [];
  const plugins: Record<string, string> = {};
  for (const spec of Array.isArray(specs) ? specs.map(String) : []) {
    if (Object.hasOwn(SHIPPED_PLUGINS, spec)) continue;
    // oxlint-disable-next-line no-await-in-loop -- few
    plugins[spec] = digestOf(await readFile(await pluginFile(spec, resolve(folder ?? '.'))));
  }
  return {
    assize: version,
    node: process.versions.node.split('.')[0]!,
    profile: digestOf(JSON.stringify(effective)),
    plugins,
  };
}

async function pluginFile(spec: string, folder: string): Promise<string> {
  if (isFileSpec(spec)) return resolve(folder, spec);
  const { resolve: resolveModule } = await import('import-meta-resolve');
  return fileURLToPath(resolveModule(spec, pathToFileURL(join(folder, 'profile')).href));
}

/** @throws AssizeError (ASZ576) with all that differs between this machine and the one that made the job */
export function checkFingerprint(here: Fingerprint, there: Fingerprint): void {
  const names = [...new Set([...Object.keys(here.plugins), ...Object.keys(there.plugins)])];
  const version = (name: string, own: string, other: string): string | undefined =>
    own === other ? undefined : `${name} is ${own} here, and ${other} where the job was made`;
  const content = (name: string, own?: string, other?: string): string | undefined =>
    own === other ? undefined : `${name} is another one here`;
  const differences = [
    version('Assize', here.assize, there.assize),
    version('Node', here.node, there.node),
    content('the profile', here.profile, there.profile),
    ...names.map((name) => content(`the plugin ${name}`, here.plugins[name], there.plugins[name])),
  ].filter((difference) => difference !== undefined);
  if (differences.length === 0) return;
  const hint = 'scores could differ: give this machine what the other one has, or make the job anew';
  throw toAssizeError(differences.map((message) => ({ code: 'ASZ576', message, hint })));
}
