import { setImmediate as later } from 'node:timers/promises';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createPipeline, type ProfileInput, type Ranking } from 'assize';
import {
  defineReport,
  defineScorer,
  defineSelector,
  defineSignal,
  type ReportRun,
  type Run,
  type RunFacts,
  type Score,
  type SelectorFunction,
  z,
} from 'assize/sdk';
import { type Candidate, candidatesWith } from './arbitraries.js';
import { field, profiles, units } from './losing.js';

const none = z.strictObject({});

/** The time of the run. */
class Clock {
  static readonly meta = defineSignal({ summary: 'The time.', params: none });
  prepare(_params: object, { now }: RunFacts): number {
    return now;
  }
}

/** The lead of a candidate over the least of its run; the memory is the number of runs. */
class Lead {
  static readonly meta = defineScorer({
    summary: 'Needs the others.',
    scope: 'set',
    params: none,
    memory: { empty: () => 0 },
  });
  prepare(_params: object, { candidates }: Run<Candidate>, runs: number): { score: Score<Candidate>; memory: number } {
    const values = candidates.map(({ f0 }) => (typeof f0 === 'number' && Number.isFinite(f0) ? f0 : 0));
    const least = Math.min(...values);
    return { score: (_candidate, index) => values[index]! - least + runs, memory: runs + 1 };
  }
}

/** Its position among its candidates, and the facts of the run; fails on its second call. */
class Place {
  static readonly meta = defineScorer({ summary: 'Its place.', scope: 'sequence', params: none });
  prepare(_params: object, { candidates, measures, signals, now }: Run<Candidate>): Score<Candidate> {
    if (now > 0) throw new Error('once is enough');
    return (_candidate, index) => index / candidates.length + measures['lead']![index]! + Number(signals['clock']);
  }
}

class Backwards {
  static readonly meta = defineSelector({ summary: 'The worst first.', params: none });
  prepare(): SelectorFunction {
    return (rows) => ({ kept: rows.toReversed(), left: [] });
  }
}

class Count {
  static readonly meta = defineReport({ summary: 'How many.', params: none });
  prepare(_params: object, { ranked, selected }: ReportRun): { value: number } {
    return { value: ranked.length * 1000 + selected.length };
  }
}

const prepared = { ...units, Clock, Lead, Place, Backwards, Count };

type Preparing = new () => { prepare(...args: readonly never[]): unknown };

/** The same unit, but asynchronous: it waits for this number of turns. */
const waiting = (Unit: Preparing & { readonly meta: unknown }, turns: number) =>
  class extends Unit {
    override async prepare(...args: readonly never[]): Promise<unknown> {
      for (let turn = 0; turn < turns; turn++) await later();
      return super.prepare(...args);
    }
  };

/** The first of them is ready last. */
const waited = Object.fromEntries(
  Object.entries(prepared).map(([name, Unit], k, all) => [name, waiting(Unit as never, all.length - k)]),
);

/** Every kind of prepared entry. */
const withPrepared = (profile: ProfileInput): ProfileInput => ({
  ...profile,
  signals: [{ id: 'clock', class: 'Clock' }],
  measures: [{ id: 'lead', class: 'Lead' }],
  tier2_scorers: [
    ...(profile.tier2_scorers ?? []),
    { id: 'ahead', class: 'Lead' },
    { id: 'place', class: 'Place', on_error: profile.veto_on_first ? 0.5 : 'skip' },
  ],
  select: { ...profile.select, place: { class: 'Backwards' } },
  report: [{ id: 'count', class: 'Count' }],
});

const everything = (ranking: Ranking<Candidate>) => ({
  ...ranking.toJSON(),
  refused: ranking.refused.map(({ id, kind, by, reason, all }) => [id, kind, by, reason, all.length]),
  columns: ranking.matrix.entries.map((entry) => ranking.matrix.column(entry)),
});

test.each([
  ['of compiled units', profiles, units],
  ['of prepared units with memories', profiles.map(withPrepared), prepared],
  ['of asynchronous units with memories', profiles.map(withPrepared), waited],
])('a synchronous ranking equals the asynchronous one: %s', async (_name, given, others) => {
  await fc.assert(
    fc.asyncProperty(given, candidatesWith(field), async (profile, candidates: Candidate[]) => {
      const [atOnce, waits] = await Promise.all(
        [prepared, others].map((all) => createPipeline<Candidate>(profile, { units: all })),
      );
      for (let run = 0; run < 2; run++) {
        const context = { now: run };
        expect(everything(atOnce!.rankSync(candidates, context))).toEqual(
          everything(await waits!.rank(candidates, context)),
        );
      }
    }),
    { numRuns: 60 },
  );
});
