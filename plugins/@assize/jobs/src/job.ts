import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { type CallBudget, type ProfileSource, type SharedRun, toAssizeError } from 'assize';
import { effectiveProfile, isGroupPart, isRankPart, packageVersion, pluginFiles, toError } from 'assize/internal';
import { isMap } from 'assize/sdk';
import { decode, encode } from './codec.js';

/** The version of the format of jobs and parts. Other versions are rejected. */
export const JOB_FORMAT = 1;

/** Bytes of JSON Lines, cut into shards. A shard has the lines that begin in it. */
export interface BytesOfJob {
  readonly kind: 'bytes';
  /** A path, or a URL. */
  readonly name: string;
  readonly size: number;
  /** The size of every shard except the last. */
  readonly shardBytes: number;
  /** The version of the input. If its store has no versions, `digests` are used instead. */
  readonly etag: string | undefined;
  /** The digest of the lines of each shard; empty if there is an `etag`. */
  readonly digests: readonly string[];
}

/** Candidates that are passed to `partial`, in a number of ordered parts. */
export interface RowsOfJob {
  readonly kind: 'rows';
  readonly parts: number;
}

/**
 * A ranking that several machines share: everything that a machine needs to compute parts. Plain data. `jobText` writes
 * it and `readJob` reads it.
 */
export interface Job {
  readonly format: typeof JOB_FORMAT;
  /** A digest of all other fields: jobs with the same id are equal. */
  readonly id: string;
  /** A preset's name, a path, a text or the profile itself. Relative paths start from a folder of each machine. */
  readonly profile: ProfileSource;
  readonly codegen: boolean;
  readonly budget: CallBudget | undefined;
  /**
   * `rank`: workers rank the parts, because each candidate is scored independently. `embed`: workers embed the texts of
   * the parts, and the process that merges them ranks all candidates in order. `groups`: workers rank whole groups.
   */
  readonly work: 'rank' | 'embed' | 'groups';
  /** Limits, weights, time, context and signals, computed once when the job was created. */
  readonly run: SharedRun;
  readonly input: BytesOfJob | RowsOfJob;
  readonly fingerprint: Fingerprint;
}

/** Adds the id to a job. */
export const withId = <J extends Omit<Job, 'id'>>(job: J): J & Pick<Job, 'id'> => ({
  ...job,
  id: digestOf(encode(job)),
});

/** The number of parts of a job. Parts are numbered from 0. */
export const partsOf = ({ input }: Job): number =>
  input.kind === 'rows' ? input.parts : Math.ceil(input.size / input.shardBytes);

/** The bytes of a shard. */
export const shardOf = ({ size, shardBytes }: BytesOfJob, index: number) => ({
  from: index * shardBytes,
  to: Math.min(size, (index + 1) * shardBytes),
});

/**
 * Writes a job as one line of text.
 *
 * @throws AssizeError (ASZ580) if its profile or context is not plain data
 */
export const jobText = (job: Job): string => encode(job);

/**
 * Reads a job that `jobText` wrote.
 *
 * @throws AssizeError (ASZ575) if the text is not a job, or has another version
 */
export function readJob(text: string): Job {
  const job = decodeOrThrow(text, 'job');
  if (job['format'] !== JOB_FORMAT) {
    throw notAJobError('job', `its format is ${JSON.stringify(job['format'])}; expected ${JOB_FORMAT}`);
  }
  const { id, ...rest } = job;
  if (id !== digestOf(encode(rest))) throw notAJobError('job', 'it was modified after it was written');
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
  throw notAJobError(kind, 'it is not an object');
}

/** The error for a text that is not a job or not a part. */
export const notAJobError = (kind: 'job' | 'part', reason: string): Error =>
  toAssizeError([{ code: 'ASZ575', message: `the text is not a ${kind} of this version: ${reason}` }]);

/** The result of embedding the texts of a part. The vectors themselves are in a `VectorFolder`. */
export interface EmbeddedPart {
  readonly lines: number;
  /** The number of distinct texts. */
  readonly texts: number;
  /** The number of texts that had no vector before. */
  readonly made: number;
}

/**
 * The content of a part: ranked, embedded or groups, depending on the job, or the message of its error. The types of
 * ranked parts and of groups are not public: `isRankPart` and `isGroupPart` check them.
 */
export type PartContent =
  | { readonly ranked: object }
  | { readonly embedded: EmbeddedPart }
  | { readonly groups: object }
  | { readonly failed: string };

/** Writes a part as one line of text. */
export const partText = (job: Job, index: number, content: PartContent): string =>
  encode({ format: JOB_FORMAT, job: job.id, index, ...content });

/** Writes the progress of a part as one line of text. */
export const progressText = (job: Job, index: number, progress: object): string =>
  encode({ format: JOB_FORMAT, job: job.id, index, progress });

/** Reads the progress of a part; undefined if the text is not the progress of this part: it is then ranked from its start. */
export function readProgress(job: Job, index: number, text: string): object | undefined {
  try {
    const { format, job: of, index: at, progress } = decodeOrThrow(text, 'part');
    if (format !== JOB_FORMAT || of !== job.id || at !== index || !isMap(progress)) return undefined;
    return progress;
  } catch {
    return undefined;
  }
}

/**
 * Reads the content of a part.
 *
 * @throws AssizeError if the text is not a part (ASZ575), or belongs to another job or index (ASZ578)
 */
export function readPart(job: Job, index: number, text: string): PartContent {
  checkIndex(job, index);
  const part = decodeOrThrow(text, 'part');
  if (part['format'] !== JOB_FORMAT) {
    throw notAJobError('part', `its format is ${JSON.stringify(part['format'])}; expected ${JOB_FORMAT}`);
  }
  const { job: of, ranked, embedded, groups, failed } = part;
  if (of !== job.id) throw otherPartError(`the part belongs to job ${String(of)}; expected job ${job.id}`);
  if (part['index'] !== index)
    throw otherPartError(`the text is part ${String(part['index'])}; expected part ${index}`);
  if (typeof failed === 'string') return { failed };
  if (job.work === 'rank' && isRankPart(ranked)) return { ranked };
  if (job.work === 'embed' && isEmbeddedPart(embedded)) return { embedded };
  if (job.work === 'groups' && isGroupPart(groups)) return { groups };
  throw notAJobError('part', 'its content is incomplete');
}

/** @throws AssizeError (ASZ578) if the job has no such part */
export function checkIndex(job: Job, index: number): void {
  const parts = partsOf(job);
  if (Number.isInteger(index) && index >= 0 && index < parts) return;
  throw otherPartError(`there is no part ${index}: the job has ${parts} parts, numbered from 0`);
}

const otherPartError = (message: string): Error => toAssizeError([{ code: 'ASZ578', message }]);

const isEmbeddedPart = (value: unknown): value is EmbeddedPart =>
  isMap(value) && ['lines', 'texts', 'made'].every((key) => Number.isSafeInteger(value[key]));

/**
 * The things on a machine that determine scores. Machines with equal fingerprints compute equal scores, unless a unit
 * reads something that is not in the fingerprint, such as a model or a file that it opens itself.
 */
export interface Fingerprint {
  /** The version of Assize. */
  readonly assize: string;
  /** The major version of Node: another V8 may differ in the last bit of `exp`, another ICU in lower-casing. */
  readonly node: string;
  /** A digest of the profile, including everything that it extends. */
  readonly profile: string;
  /** A digest of the module of each plugin that is not shipped with Assize. */
  readonly plugins: Readonly<Record<string, string>>;
}

/** The first 128 bits of SHA-256, which are enough to distinguish contents. */
export const digestOf = (content: string | Uint8Array): string =>
  createHash('sha256').update(content).digest('hex').slice(0, 32);

/**
 * Computes the fingerprint of a profile on this machine.
 *
 * @param folder the base of relative paths
 */
export async function fingerprintOf(profile: ProfileSource, folder: string | undefined): Promise<Fingerprint> {
  const effective = await effectiveProfile(profile, folder === undefined ? {} : { folder });
  const plugins: Record<string, string> = {};
  for (const [spec, file] of await pluginFiles(effective, folder)) {
    // oxlint-disable-next-line no-await-in-loop -- few
    plugins[spec] = digestOf(await readFile(file));
  }
  return {
    assize: packageVersion(),
    node: process.versions.node.split('.')[0]!,
    profile: digestOf(JSON.stringify(effective)),
    plugins,
  };
}

/** @throws AssizeError (ASZ576) with every difference between this machine and the one that created the job */
export function checkFingerprint(here: Fingerprint, there: Fingerprint): void {
  const names = [...new Set([...Object.keys(here.plugins), ...Object.keys(there.plugins)])];
  const version = (name: string, own: string, other: string): string | undefined =>
    own === other ? undefined : `${name} is ${own} here, but ${other} where the job was created`;
  const content = (name: string, own?: string, other?: string): string | undefined =>
    own === other ? undefined : `${name} differs from the one where the job was created`;
  const differences = [
    version('Assize', here.assize, there.assize),
    version('Node', here.node, there.node),
    content('the profile', here.profile, there.profile),
    ...names.map((name) => content(`the plugin ${name}`, here.plugins[name], there.plugins[name])),
  ].filter((difference) => difference !== undefined);
  if (differences.length === 0) return;
  const hint = 'scores could differ: install the same on this machine, or create the job again';
  throw toAssizeError(differences.map((message) => ({ code: 'ASZ576', message, hint })));
}
