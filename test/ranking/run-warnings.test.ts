/*
 * Probable mistakes that only a run shows: no candidate is left, one scorer dominates the others, a key that no
 * candidate has.
 */
import { describe, expect, test } from 'vitest';
import { createPipeline, type ProfileInput, type Ranking } from 'assize';
import { defineScorer, z } from 'assize/sdk';
import { rankBy } from '../properties/ranked.js';

const textsOf = ({ warnings }: Pick<Ranking<object>, 'warnings'>): readonly string[] =>
  warnings.map(({ code, message, hint }) => [code, message, hint].filter(Boolean).join('; '));
const scoreTextsOf = ({ scoreWarnings }: Ranking<object>): readonly string[] => textsOf({ warnings: scoreWarnings });

const dates = Array.from({ length: 2000 }, (_, i) => ({ id: `d${i}`, at: '2001/01/01 06:55', stars: i }));
const decay = { id: 'fresh', class: 'DecayScorer', params: { field: 'at', curve: { type: 'window', max_age: '7d' } } };
const now = '2001-01-02';

describe('a run without a remaining candidate', () => {
  test('names the entry that fails for every candidate, the count, an example and a hint', async () => {
    const profile = { tier2_scorers: [decay, { id: 'stars', expr: 'candidate.stars' }] };
    const ranking = await rankBy(profile, dates, { now });
    expect(ranking.warnings[0]).toMatchObject({ code: 'ASZ721', path: 'tier2_scorers[0]' });
    expect(textsOf(ranking)).toMatchInlineSnapshot(`
      [
        "ASZ721; nothing is ranked: fresh fails on 2,000 of 2,000 candidates, and refuses them; d0: expected a time (milliseconds since 1970, ISO 8601 such as 2026-01-31T12:00:00Z, a Date), found the string "2001/01/01 06:55"; its format is "yyyy/MM/dd HH:mm", for date(x, format) or a param format; fix the values that it reads, or set on_error: skip to ignore fresh, or a number to use instead",
      ]
    `);
    const pipeline = await createPipeline<object>(profile);
    const stream = await pipeline.rankStream(dates, { now }, { top: 3 });
    expect(stream.warnings[0]).toEqual(ranking.warnings[0]);
  });

  test('also for a veto that fails, and for an absent score', async () => {
    const veto: ProfileInput = {
      tier1_scorers: [{ id: 'old', expr: 'candidate.at < 3', on_error: 'refuse' }],
    };
    expect(textsOf(await rankBy(veto, dates, { now }))[0]).toMatchInlineSnapshot(
      `"ASZ721; nothing is ranked: old fails on 2,000 of 2,000 candidates, and refuses them; d0: < needs two numbers or two strings, found the string "2001/01/01 06:55" and the number 3; fix the values that it reads, or set on_error: pass to keep them"`,
    );
    const absent: ProfileInput = {
      tier2_scorers: [{ id: 'rating', expr: 'candidate.rating', on_absent: 'refuse' }],
    };
    expect(textsOf(await rankBy(absent, dates, { now }))[0]).toMatchInlineSnapshot(
      `"ASZ721; nothing is ranked: rating has no value for 2,000 of 2,000 candidates, and refuses them; d0: candidate.rating is absent; fix the values that it reads, or set on_absent: skip to ignore rating, or a number to use instead"`,
    );
    const unscored: ProfileInput = { tier2_scorers: [{ id: 'rating', expr: 'candidate.rating' }] };
    expect(textsOf(await rankBy(unscored, dates, { now }))[0]).toMatchInlineSnapshot(
      `"ASZ721; nothing is ranked: no scorer has a number for 2,000 of 2,000 candidates; d0: no scorer returned a score"`,
    );
  });

  test('but not for a veto that refuses, for few failures, and if candidates remain', async () => {
    const all: ProfileInput = { tier1_scorers: [{ id: 'all', expr: 'true' }] };
    expect(textsOf(await rankBy(all, dates, { now }))).toEqual([]);
    const some: ProfileInput = {
      tier1_scorers: [{ id: 'many', expr: 'candidate.stars > 10' }],
      tier2_scorers: [decay],
    };
    expect(textsOf(await rankBy(some, dates, { now })).join()).not.toContain('ASZ721');
    const one = [...dates, { id: 'good', at: '2001-01-01', stars: 1 }];
    expect(textsOf(await rankBy({ tier2_scorers: [decay] }, one, { now })).join()).not.toContain('ASZ721');
  });

  test('also if no candidate has a cost', async () => {
    class TokenCount {
      static readonly meta = defineScorer({ summary: 'Counts.', params: z.strictObject({}), scope: 'candidate' });
      prepare(): never {
        throw new Error('counting tokens needs gpt-tokenizer, which is not installed: npm install gpt-tokenizer');
      }
    }
    const profile: ProfileInput = {
      plugins: ['cupel'],
      measures: [{ id: 'tokens', class: 'TokenCount' }],
      tier2_scorers: [{ id: 'stars', expr: 'candidate.stars' }],
      select: { pack: { cost: 'measures.tokens', budget: 10, class: 'GreedyPack' } },
    };
    const pipeline = await createPipeline<object>(profile, { units: { TokenCount } });
    const { selected, warnings } = await pipeline.rank(dates);
    expect(selected).toEqual([]);
    expect(textsOf({ warnings })).toMatchInlineSnapshot(`
      [
        "ASZ722; nothing is packed: none of 2,000 candidates has a cost; d1999: its cost is unknown: measures.tokens is absent; tokens failed: counting tokens needs gpt-tokenizer, which is not installed: npm install gpt-tokenizer",
      ]
    `);
    const free = { ...profile, select: { pack: { cost: 'candidate.stars + 0', budget: 10, class: 'GreedyPack' } } };
    const packed = await createPipeline<object>(free, { units: { TokenCount } });
    expect(textsOf(await packed.rank(dates)).join()).not.toContain('ASZ722');
  });
});

describe('a scorer whose values are much larger than those of another', () => {
  const candidates = Array.from({ length: 24 }, (_, i) => ({ id: `c${i}`, power: 46 + i * 8, rating: (i % 7) / 7 }));
  const averaged = (power: number, combine: ProfileInput['combine'] = 'weighted_mean'): ProfileInput => ({
    tier2_scorers: [
      { id: 'power', expr: 'candidate.power', weight: power },
      { id: 'rating', expr: 'candidate.rating', weight: 1 },
    ],
    combine,
  });

  test('is named, with the values of both', async () => {
    const ranking = await rankBy(averaged(1), candidates);
    expect(scoreTextsOf(ranking)).toMatchInlineSnapshot(`
      [
        "ASZ705; power (46 to 230 here) outweighs rating (0 to 0.857 here), and its weight does not compensate; scale it to the same range with an expression or ScaledScorer, or give it a smaller weight",
      ]
    `);
    expect(ranking.warnings).toEqual([]);
    expect(scoreTextsOf(await rankBy(averaged(1, 'weighted_sum'), candidates)).join()).toContain('ASZ705');
  });

  test('is not reported if its weight compensates, nothing is summed, or one is constant', async () => {
    expect(scoreTextsOf(await rankBy(averaged(0.005), candidates))).toEqual([]);
    expect(scoreTextsOf(await rankBy(averaged(1, 'geometric_mean'), candidates.slice(1)))).toEqual([]);
    const same = candidates.map((one) => ({ ...one, power: 230 }));
    expect(scoreTextsOf(await rankBy(averaged(1), same)).join()).not.toContain('ASZ705');
  });
});

describe('a key that no candidate has', () => {
  const candidates = ['Japan', 'France', 'Japan', 'Peru'].map((country, i) => ({ id: `c${i}`, country, stars: i }));
  const tier2_scorers = [
    { id: 'stars', expr: 'candidate.stars' },
    { id: 'few', expr: '3 - candidate.stars' },
  ];
  const byCountry = (...names: readonly string[]): ProfileInput => ({
    tier2_scorers,
    weights: { by: 'candidate.country', cases: Object.fromEntries(names.map((name) => [name, { few: 2 }])) },
  });
  const factors = (table: Record<string, number>): ProfileInput => ({
    tier2_scorers,
    adjustments: [{ id: 'home', multiply: { table, by: ['candidate.country'], missing: 1 } }],
  });

  test.each<[name: string, profile: ProfileInput, expected: readonly string[]]>([
    [
      'a case',
      byCountry('Japn', 'France'),
      ['ASZ706; weights: no candidate matches the case Japn; did you mean Japan?'],
    ],
    ['the only case', byCountry('Japn'), ['ASZ706; weights: no candidate matches the case Japn; did you mean Japan?']],
    [
      'all cases',
      byCountry('jp', 'fr'),
      ['ASZ706; weights: no candidate matches the cases jp, fr; candidate.country is Japan, France, Peru'],
    ],
    [
      'a row',
      factors({ france: 2, Peru: 1.5 }),
      ['ASZ706; home: no candidate matches the row france; did you mean France?'],
    ],
  ])('is a typo: %s', async (_, profile, expected) => {
    expect(scoreTextsOf(await rankBy(profile, candidates))).toEqual(expected);
  });

  test.each<[name: string, profile: ProfileInput]>([
    ['every value is a key, and one is of others', byCountry('Japan', 'France', 'Peru', 'Chile')],
    ['no other key is similar', byCountry('Japan', 'Argentina')],
    ['its condition is the same for all', { ...byCountry('Japan'), weights: { by: '"x"', cases: { y: { few: 2 } } } }],
  ])('is not reported if %s', async (_, profile) => {
    expect(scoreTextsOf(await rankBy(profile, candidates))).toEqual([]);
  });
});

test('a preset for passages does not warn about tokens that it counts, or about pinned', async () => {
  const passages = ['one', 'two words', 'three words here'].map((content, i) => ({ id: `p${i}`, content }));
  const read = textsOf(await (await createPipeline<object>('rag')).rank(passages)).join('\n');
  expect(read).not.toMatch(/tokens|pinned/);
  const negative = [{ id: 'x', content: 'text', tokens: -3 }];
  const { refused } = await (await createPipeline<object>('rag')).rank(negative);
  expect(refused).toMatchObject([{ by: 'negative_tokens' }]);
});

describe('a path that starts like an expression', () => {
  const scorers = [{ id: 'stars', expr: 'candidate.stars' }];
  test('is reported if a candidate has the rest', async () => {
    const candidates = [{ Name: 'a', stars: 1 }];
    const textsWith = async (id: string, given: readonly object[] = candidates) =>
      textsOf(await rankBy({ candidate: { id }, tier2_scorers: scorers }, given));
    expect(await textsWith('candidate.Name')).toEqual([
      'ASZ712; candidate.id: no candidate has candidate.Name; a path is relative to the candidate and is not a CEL expression: write Name',
    ]);
    expect((await textsWith('candidate.Nam')).join()).not.toContain('no CEL');
    expect((await textsWith('candidate.Name', [{ candidate: { Name: 'a' }, stars: 1 }])).join()).not.toContain(
      'no CEL',
    );
  });
});

describe('a variable that the context lacks', () => {
  const candidates = [
    { id: 'a', text: 'red shoes', n: 1 },
    { id: 'b', text: 'blue shoes', n: 2 },
  ];
  const words = { id: 'words', class: 'BM25Scorer', params: { fields: 'text' } };
  const similar = { id: 'similar', class: 'SemanticSimilarityScorer', params: { text: 'text', embedder: 'lexical' } };
  const number = { id: 'n', expr: 'candidate.n' };
  const absent = async (profile: ProfileInput, context: object): Promise<readonly string[]> => {
    const pipeline = await createPipeline<object>({ ...profile, select: { top: 9 } });
    const given = { ...context };
    const whole = textsOf(await pipeline.rank(candidates, given)).filter((text) => text.startsWith('ASZ723'));
    const stream = textsOf(await pipeline.rankStream(candidates, given).catch(() => ({ warnings: [] })));
    if (stream.length > 0) expect(stream.filter((text) => text.startsWith('ASZ723'))).toEqual(whole);
    return whole;
  };

  test.each<[string, ProfileInput, object, readonly string[]]>([
    [
      'the query of a class, misspelt',
      { tier2_scorers: [number, words] },
      { qurey: 'red' },
      ['ASZ723; words: the context has no query; did you mean qurey?'],
    ],
    [
      'the query of a class, not given',
      { tier2_scorers: [number, words] },
      {},
      ['ASZ723; words: the context has no query; pass it in the context'],
    ],
    [
      'the query of a class that is a measure',
      { measures: [words], tier2_scorers: [number] },
      {},
      ['ASZ723; words: the context has no query; pass it in the context'],
    ],
    [
      'the query of a class inside another',
      {
        tier2_scorers: [
          { id: 'scaled', class: 'ScaledScorer', params: { scorer: words, scale: { type: 'log', full: 9 } } },
        ],
      },
      { query: '', qry: 1 },
      [],
    ],
    [
      'the variable of a veto',
      { tier1_scorers: [{ id: 'seen', expr: 'candidate.id in context.seen' }], tier2_scorers: [number] },
      { sen: ['a'] },
      ['ASZ723; seen: the context has no seen; did you mean sen?'],
    ],
    [
      'the variable of a veto, not given',
      { tier1_scorers: [{ id: 'seen', expr: 'candidate.id in context.user.seen' }], tier2_scorers: [number] },
      { user: {} },
      [
        'ASZ723; seen: the context has no user.seen; pass it in the context; if it may be missing, write context.?user.seen.orValue(…)',
      ],
    ],
    [
      'the condition of an entry, misspelt',
      { tier2_scorers: [number, { id: 'm', expr: 'candidate.n', when: 'context.mobile' }] },
      { mobil: true },
      ['ASZ723; m: the context has no mobile; did you mean mobil?'],
    ],
    [
      'the condition of an entry, a rule, or a fallback, not given',
      {
        tier2_scorers: [number, { id: 'm', expr: 'candidate.n', when: 'context.mobile' }],
        adjustments: [{ id: 'r', when: 'context.boost', add: 1 }],
      },
      {},
      [],
    ],
    [
      'a rule, misspelt',
      { tier2_scorers: [number], adjustments: [{ id: 'r', when: 'context.boosted', add: 1 }] },
      { boostd: true },
      ['ASZ723; r: the context has no boosted; did you mean boostd?'],
    ],
    [
      'an expression handles its absence',
      {
        tier1_scorers: [
          { id: 'seen', expr: 'candidate.id in context.?seen.orValue([])' },
          { id: 'old', expr: 'context.old != null && candidate.n > context.old' },
        ],
        tier2_scorers: [number],
      },
      {},
      [],
    ],
    [
      'the profile declares it optional',
      { context: { seen: { type: 'list' } }, tier1_scorers: [{ id: 'seen', expr: 'candidate.id in context.seen' }] },
      {},
      [],
    ],
    [
      'the same, misspelt',
      { context: { seen: { type: 'list' } }, tier1_scorers: [{ id: 'seen', expr: 'candidate.id in context.seen' }] },
      { seeen: [] },
      ['ASZ723; seen: the context has no seen; did you mean seeen?'],
    ],
    [
      'a variable with the name of another that is read',
      { tier2_scorers: [{ id: 'n', expr: 'candidate.n * context.weight + context.?weigth.orValue(0.0)' }] },
      { weigth: 1 },
      [
        'ASZ723; n: the context has no weight; pass it in the context; if it may be missing, write context.?weight.orValue(…)',
      ],
    ],
    [
      'a default path, if the class abstains because no candidate has its vector',
      {
        tier2_scorers: [
          { id: 's', class: 'SemanticSimilarityScorer', params: { vector: 'v', query_vector: 'q' } },
          number,
        ],
      },
      { q: [1, 0] },
      [],
    ],
  ])('%s', async (_, profile, context, expected) => {
    expect(await absent(profile, context)).toEqual(expected);
  });

  test('is reported for a scored stream, if no row has all scores', async () => {
    const pipeline = await createPipeline<object>({ tier2_scorers: [number, similar] });
    const rows = pipeline.scoreStream(candidates, { qurey: 'red' });
    for await (const _ of rows);
    expect(textsOf(rows)).toEqual(['ASZ723; similar: the context has no query; did you mean qurey?']);
    const fine = pipeline.scoreStream(candidates, { query: 'red' });
    for await (const _ of fine);
    expect(textsOf(fine)).toEqual([]);
  });
});
