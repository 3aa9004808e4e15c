import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createPipeline, type ProfileInput, type Ranking } from '../../src/index.js';
import { defineScorer, type Run, type Score, z } from '../../src/sdk.js';
import { type Candidate, candidatesWith } from './arbitraries.js';
import { field, profiles } from './losing.js';

/** How far a candidate is ahead of the least of its run; the memory is how many runs there were. */
class Lead {
  static readonly meta = defineScorer({
    summary: 'Needs the others.',
    scope: 'set',
    params: z.strictObject({}),
    memory: { empty: () => 0 },
  });
  prepare(_params: object, { candidates }: Run<Candidate>, runs: number): { score: Score<Candidate>; memory: number } {
    const values = candidates.map(({ f0 }) => (typeof f0 === 'number' ? f0 : 0));
    const least = Math.min(...values);
    return { score: (_candidate, index) => values[index]! - least + runs, memory: runs + 1 };
  }
}

const everything = (ranking: Ranking<Candidate>) => ({
  ...ranking.toJSON(),
  refused: ranking.refused.map(({ id, kind, by, reason, all }) => [id, kind, by, reason, all.length]),
  columns: ranking.matrix.entries.map((entry) => ranking.matrix.column(entry)),
});

const withLead = (profile: ProfileInput): ProfileInput => ({
  ...profile,
  tier2_scorers: [...(profile.tier2_scorers ?? []), { id: 'lead', class: 'Lead' }],
});

test.each([
  ['of what is compiled', profiles],
  ['of what is prepared, and remembers', profiles.map(withLead)],
])('a ranking at once is the one that would be waited for: %s', async (_name, given) => {
  await fc.assert(
    fc.asyncProperty(given, candidatesWith(field), async (profile, candidates: Candidate[]) => {
      const open = () => createPipeline<Candidate>(profile, { units: { Lead } });
      const [waits, atOnce] = await Promise.all([open(), open()]);
      for (let run = 0; run < 2; run++) {
        const context = { now: run };
        expect(everything(atOnce.rankSync(candidates, context))).toEqual(
          everything(await waits.rank(candidates, context)),
        );
      }
    }),
    { numRuns: 60 },
  );
});
