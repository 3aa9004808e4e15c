import * as z from 'zod';
import type { ServedPipeline, ServedProfile } from '../../profiles/index.js';
import { defineTool } from '../tool.js';

/** Lists the profiles. */
export const list = defineTool({
  name: 'list',
  title: 'List profiles',
  description:
    'The profiles of this server: what each is for, the fields of candidates that it reads, and the ids of its entries. Call ' +
    'it before rank.',
  input: z.strictObject({}),
  run: async (_input, { profiles }) => {
    const found = profiles.list().map(summaryOf);
    const lines = found.map(({ name, description, reads = [], problem }) => {
      if (problem !== undefined) return `${name}: broken: ${problem}`;
      const fields = reads.length > 0 ? `(reads ${reads.join(', ')})` : undefined;
      return [description === undefined ? name : `${name}: ${description}`, fields].filter(Boolean).join(' ');
    });
    return { text: lines.join('\n') || 'there are no profiles', data: { profiles: found } };
  },
});

function summaryOf({ name, pipeline, error }: ServedProfile) {
  const description = pipeline?.description;
  return {
    name,
    ...(description && { description }),
    ...(pipeline && { reads: fieldsOf(pipeline), packs: pipeline.packs, entries: entriesOf(pipeline.describe()) }),
    ...(error && { problem: error.problems[0]?.message ?? error.message }),
  };
}

/** Each field once; a unit that may read anything says none. */
const fieldsOf = ({ candidateReads }: ServedPipeline): readonly string[] => [
  ...new Set(candidateReads.flatMap(({ field }) => field ?? [])),
];

/** Without the kinds of which it has none. */
const entriesOf = (entries: object): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(entries).filter(([, ids]: [string, readonly string[]]) => ids.length > 0));
