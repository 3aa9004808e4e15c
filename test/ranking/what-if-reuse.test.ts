import { describe, expect, test } from 'vitest';
import { createPipeline, type ProfileInput, explanationParts } from 'assize';
import { defineGenerator, defineScorer, defineSignal, type Run, type Score, z } from 'assize/sdk';

interface Film {
  readonly id: string;
  readonly year: number;
  readonly votes?: number;
}

const films: readonly Film[] = [
  { id: 'alien', year: 1979, votes: 9 },
  { id: 'brazil', year: 1985, votes: 5 },
  { id: 'casino', year: 1995, votes: 7 },
  { id: 'dogma', year: 1999, votes: 2 },
];

/** The calls of a stand-in for a model: `entry: ids`. */
function model() {
  const asked: string[] = [];
  const params = z.strictObject({
    of: z.string(),
    factor: z.number().default(1),
    scope: z.literal(['candidate', 'set']).default('candidate'),
    fails: z.boolean().default(false),
  });
  class Model {
    static readonly meta = defineScorer({
      summary: 'Asks a model about each.',
      params,
      range: [0, 100],
      cost: 1_000_000,
      scope: ({ scope }: z.output<typeof params>) => scope,
      reasons: { asked: 'asked about {film}' },
    });
    async prepare({ of, factor, fails }: z.output<typeof params>, { candidates }: Run<Film>): Promise<Score<Film>> {
      asked.push(`${of}: ${candidates.map(({ id }) => id).join(' ')}`);
      await Promise.resolve();
      if (fails) throw new Error('the model is away');
      const answers = candidates.map(({ votes = 1 }) => votes * factor);
      return (film, index, note) => (note?.('asked', { film: film.id }), answers[index]);
    }
  }
  class Mood {
    static readonly meta = defineSignal({ summary: 'Fails.', params: z.strictObject({}) });
    async prepare(): Promise<never> {
      asked.push('mood');
      throw new Error('no mood');
    }
  }
  class Ideas {
    static readonly meta = defineGenerator({ summary: 'Two ideas.', params: z.strictObject({}) });
    async prepare(): Promise<{ key: string; votes: number }[]> {
      asked.push('ideas');
      return [
        { key: 'one', votes: 1 },
        { key: 'two', votes: 2 },
      ];
    }
  }
  return { asked, units: { Model, Mood, Ideas } };
}

const use = (of: string, params: object = {}) => ({ class: 'Model', params: { of, ...params } });
const entry = (id: string, params: object = {}) => ({ id, ...use(id, params) });
const profile = {
  tier1_scorers: [{ id: 'old', expr: 'candidate.year < 1980' }],
  tier2_scorers: [entry('taste'), entry('fame', { scope: 'set' }), { id: 'recent', expr: 'candidate.year / 2000.0' }],
} satisfies ProfileInput;

async function rankFilms(given: ProfileInput = profile) {
  const { asked, units } = model();
  const pipeline = await createPipeline<Film>(given, { units });
  const ranking = await pipeline.rank(films);
  return { ranking, asked, take: () => asked.splice(0) };
}

describe('a what-if calls again only what its change affects', () => {
  test('nothing for other weights, or without a scorer or a rule', async () => {
    const lift = { id: 'lift', when: 'scores.taste > 6', add: 1 };
    const { ranking, take } = await rankFilms({ ...profile, adjustments: [lift] });
    expect(take()).toEqual(['taste: brazil casino dogma', 'fame: brazil casino dogma']);
    const otherwise = await ranking.whatIf({ weights: { taste: 5, recent: 2 } });
    expect(otherwise.ranked.map(({ id }) => id)).toEqual(['casino', 'brazil', 'dogma']);
    await (await ranking.whatIf({ without: 'fame' })).whatIf({ without: 'lift' });
    expect(explanationParts(otherwise.explain('casino')).scorers[0]?.text).toBe('asked about casino');
    await otherwise.compare('casino', 'dogma');
    expect(take()).toEqual([]);
  });

  test('the entry whose params change, and the entries that contain it', async () => {
    const blend = { id: 'blend', class: 'CompositeScorer', params: { scorers: [use('inner'), { expr: '1.0' }] } };
    const { ranking, take } = await rankFilms({ ...profile, tier2_scorers: [...profile.tier2_scorers, blend] });
    take();
    const otherwise = await ranking.whatIf({ params: { taste: { factor: 3 } } });
    expect(otherwise.matrix.column('taste').values).toEqual(new Float64Array([15, 21, 6]));
    expect(take()).toEqual(['taste: brazil casino dogma']);
    await ranking.whatIf({ params: { blend: { scorers: [use('inner', { factor: 2 })] } } });
    expect(take()).toEqual(['inner: brazil casino dogma']);
  });

  test('for candidates that become kept, if it scores each one alone; for all, if it needs all', async () => {
    const { ranking, take } = await rankFilms();
    take();
    const { ranked } = await ranking.whatIf({ without: 'old' });
    expect(ranked.map(({ id }) => id)).toEqual(['alien', 'casino', 'brazil', 'dogma']);
    expect(take()).toEqual(['taste: alien', 'fame: alien brazil casino dogma']);
    await (await ranking.whatIf({ without: ['old', 'fame'] })).compare('alien', 'dogma');
    expect(take()).toEqual(['taste: alien']);
    await ranking.compare('alien', 'dogma'); // ranks without the veto
    expect(take()).toEqual(['taste: alien', 'fame: alien brazil casino dogma']);
  });

  test('never for a candidate that was called before, with pruning', async () => {
    const { asked, units } = model();
    const tier2_scorers = [entry('taste'), { id: 'recent', expr: 'candidate.year - 1970', weight: 3 }];
    const pipeline = await createPipeline<Film>({ tier2_scorers, select: { top: 1 } }, { units });
    const many = Array.from({ length: 100 }, (_, i) => ({ id: `f${i}`, year: 1970 + i, votes: 100 - i }));
    const ranking = await pipeline.rank(many);
    expect(ranking.selected[0]?.id).toBe('f99');
    expect(ranking.pruned?.entries[0]?.pruned).toBeGreaterThan(0);
    const otherwise = await ranking.whatIf({ weights: { taste: 1, recent: 0.5 } });
    expect(otherwise.selected[0]?.id).toBe('f0');
    const about = asked.flatMap((line) => line.replace('taste: ', '').split(' '));
    expect(about.length).toBeGreaterThan(ranking.pruned!.entries[0]!.evaluated);
    expect(new Set(about).size).toBe(about.length);
  });

  test('not even failed or generated ones', async () => {
    const { asked, units } = model();
    const pipeline = await createPipeline(
      {
        signals: [{ id: 'mood', class: 'Mood' }],
        strategies: [{ id: 'idea', focus: { class: 'Ideas' } }],
        tier2_scorers: [entry('taste', { fails: true, scope: 'set' }), entry('fame')].map((one) => ({
          ...one,
          on_error: 0.5,
        })),
      },
      { units },
    );
    const ranking = await pipeline.rank();
    expect(asked.splice(0)).toEqual(['mood', 'ideas', 'taste: idea/one idea/two', 'fame: idea/one idea/two']);
    const otherwise = await ranking.whatIf({ weights: { fame: 3 } });
    expect(asked).toEqual([]);
    expect(otherwise.degraded).toEqual(ranking.degraded);
    expect(otherwise.degraded.map((one) => one.entry)).toEqual(['mood', 'taste']);
    await ranking.whatIf({ without: 'mood' });
    expect(asked).toContain('ideas'); // which may have read it
  });
});
