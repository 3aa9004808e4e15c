import { describe, expect, test } from 'vitest';
import { createPipeline, type ProfileInput, scorer } from 'assize';
import { defineReport, type ReportRun, z } from 'assize/sdk';
import { rankBy } from '../properties/ranked.js';
import { Topics } from './units.js';

describe('strategies', () => {
  const strategies: ProfileInput['strategies'] = [
    { id: 'broaden', type_category: 'coverage' },
    { id: 'deepen', type_category: 'depth', focus: { class: 'Topics', when: 'context.turn > 0' } },
    { id: 'off', enabled: false },
  ];
  const rank = async (profile: ProfileInput, context: Readonly<Record<string, unknown>>) =>
    (await createPipeline(profile, { units: { Topics } })).rank(undefined, context);

  test('generate the candidates: a single focus, or the focuses of a generator', async () => {
    const { ranked } = await rank({ strategies }, { turn: 1, topics: ['cats', 'dogs'] });
    expect(ranked.map(({ id }) => id)).toEqual(['broaden/broaden', 'deepen/cats', 'deepen/dogs']);
    expect(ranked[1]?.candidate).toMatchObject({
      strategy: { id: 'deepen', type_category: 'depth' },
      focus: { key: 'cats', topic: 'cats' },
    });
  });

  test('without an available focus generate none', async () => {
    const ids = async (turn: number) => (await rank({ strategies }, { turn, topics: [] })).ranked.map(({ id }) => id);
    expect(await ids(0)).toEqual(['broaden/broaden']);
    expect(await ids(1)).toEqual(['broaden/broaden']);
  });

  test('that fail generate none, and the ranking reports it', async () => {
    const ranking = await rank({ strategies }, { turn: 1 });
    expect(ranking.ranked).toHaveLength(1);
    expect(ranking.degraded).toMatchObject([{ entry: 'deepen', stage: 'generate', count: 1 }]);
  });

  test('are scored by phase', async () => {
    const profile: ProfileInput = {
      strategies: [{ id: 'broaden' }, { id: 'deepen' }],
      phases: { early: { n_turns: 4 }, late: {} },
      phase_profiles: { early: { deepen: 0.5 }, late: { broaden: 0.25 } },
      tier2_scorers: [{ id: 's', expr: '1.0' }],
    };
    const scores = async (turn_count: number) =>
      (await rank(profile, { turn_count })).ranked.map(({ id, score }) => [id, score]);
    expect(await scores(0)).toEqual([
      ['broaden/broaden', 1],
      ['deepen/deepen', 0.5],
    ]);
    expect(await scores(4)).toEqual([
      ['deepen/deepen', 1],
      ['broaden/broaden', 0.25],
    ]);
  });

  test('are a fallback if nothing was selected', async () => {
    const profile: ProfileInput = {
      strategies,
      tier1_scorers: [{ id: 'no', expr: 'true' }],
      fallback: [{ when: 'vetoed < 1', use: 'deepen' }, { use: 'broaden' }],
    };
    const { selected } = await rank(profile, { turn: 1, topics: ['cats'] });
    expect(selected).toMatchObject([{ id: 'broaden/broaden', because: 'fallback', score: undefined, rank: undefined }]);
  });
});

describe('reports', () => {
  const meta = { summary: 'A report.', params: z.strictObject({}) };
  class Best {
    static readonly meta = defineReport(meta);
    prepare(_params: object, { ranked }: ReportRun): { value: number; warnings: string[] } {
      return { value: ranked[0]?.score ?? 0, warnings: ranked.length < 3 ? ['only a few'] : [] };
    }
  }
  class Failing {
    static readonly meta = defineReport(meta);
    prepare(): never {
      throw new Error('boom');
    }
  }
  const units = { Best, Failing };
  const tier2_scorers = [{ id: 's', expr: 'candidate.n' }];

  test('are values of the ranking, with warnings', async () => {
    const report = [
      { id: 'best', class: 'Best', warn_below: 5 },
      { id: 'unasked', class: 'Best', when: 'context.never' },
    ];
    const ranking = await rankBy({ tier2_scorers, report }, [{ n: 1 }, { n: 4 }], {}, { units });
    expect(Object.entries(ranking.report)).toEqual([['best', 4]]);
    expect(ranking.warnings).toEqual([
      { code: 'ASZ715', message: 'best: only a few' },
      { code: 'ASZ715', message: 'best is 4, below 5' },
    ]);
    const high = await rankBy({ tier2_scorers, report }, [{ n: 5 }, { n: 4 }, { n: 1 }], {}, { units });
    expect(high.warnings).toEqual([]);
  });

  test('that fail are missing, and listed', async () => {
    const report = [{ id: 'bad', class: 'Failing' }];
    const ranking = await rankBy({ tier2_scorers, report }, [{ n: 1 }], {}, { units });
    expect(Object.entries(ranking.report)).toEqual([]);
    expect(ranking.degraded).toMatchObject([{ entry: 'bad', stage: 'report', cause: 'boom', count: 1 }]);
  });
});

test('veto_on_first: false reports every reason', async () => {
  const tier1_scorers = [
    { id: 'long', expr: 'candidate.n > 1.0' },
    { id: 'odd', expr: 'candidate.odd', on_absent: 'refuse' as const },
    { id: 'near', class: 'ThresholdVeto', params: { value: 'n', min: 10 } },
  ];
  const reasons = async (veto_on_first: boolean) =>
    (await rankBy({ veto_on_first, tier1_scorers }, [{ n: 5 }, { n: 20, odd: false }])).refused.map(({ all }) =>
      all.map(({ by, kind, reason }) => [by, kind, reason]),
    );
  const long = ['long', 'veto', 'candidate.n > 1.0'];
  expect(await reasons(true)).toEqual([[long], [long]]);
  expect(await reasons(false)).toEqual([
    [long, ['odd', 'absent', 'candidate.odd is absent'], ['near', 'veto', '5 is below 10']],
    [long],
  ]);
});

test('the reason names a class whose abstention refuses', async () => {
  const units = { Silent: scorer(() => undefined) };
  const tier2_scorers = [{ id: 'mine', class: 'Silent', on_absent: 'refuse' as const }];
  const { refused } = await rankBy({ tier2_scorers }, [{ n: 1 }], {}, { units });
  expect(refused[0]).toMatchObject({ kind: 'absent', by: 'mine', reason: 'Silent abstained' });
});
