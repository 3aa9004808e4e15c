import type { ProfileSource } from 'assize';
import { ProfileGroups } from 'assize/internal';
import { isMap } from 'assize/sdk';
import { shardsOf } from './create-job.js';
import type { ByteInput } from './job-input.js';
import { fingerprintOf, type Job, JOB_FORMAT, jobText, withId } from './job.js';

/** How groups are ranked. */
export type GroupsRun = Parameters<(typeof ProfileGroups)['open']>[2];

/** How a job ranks groups, besides the run of the job. Plain data. */
type GroupsOfJob = Pick<GroupsRun, 'by' | 'output'> & Pick<GroupsRun['contexts'], 'fields' | 'queries'>;

/** A job that ranks each group of a file on its own. A part has the whole groups that begin in a shard. */
export interface GroupJob extends Job {
  readonly work: 'groups';
  readonly groups: GroupsOfJob;
}

export const isGroupJob = (job: Job): job is GroupJob => job.work === 'groups' && 'groups' in job && isMap(job.groups);

/**
 * Creates a job that ranks groups. Reads an input without an `etag` once, to compute the digests of its shards.
 *
 * @throws AssizeError with every problem of the profile; if an entry has a memory (ASZ518), or a value is not plain data
 *   (ASZ580)
 */
export async function createGroupJob(
  profile: ProfileSource,
  input: ByteInput,
  run: GroupsRun,
  { folder, shardBytes }: { readonly folder: string; readonly shardBytes: number | undefined },
): Promise<GroupJob> {
  await ProfileGroups.open(profile, { folder }, run);
  const { by, now, overrides, budget, contexts, output } = run;
  const { context, fields, queries } = contexts;
  const job = withId({
    format: JOB_FORMAT,
    profile,
    codegen: true,
    budget,
    work: 'groups',
    run: { overrides, now, context, signals: {}, failures: [] },
    input: await shardsOf(input, shardBytes),
    fingerprint: await fingerprintOf(profile, folder),
    groups: {
      by,
      fields,
      queries,
      output: output.kind === 'text' ? { kind: 'text', settings: output.settings } : output,
    },
  } satisfies Omit<GroupJob, 'id'>);
  jobText(job); // throws if it is not plain data
  return job;
}

/** How this machine ranks the groups of a job. */
export function groupsRunOf({ run, budget, groups }: GroupJob): GroupsRun {
  const { by, fields, queries, output } = groups;
  return {
    by,
    now: run.now,
    overrides: run.overrides,
    budget,
    contexts: { context: run.context, fields, queries },
    output,
  };
}
