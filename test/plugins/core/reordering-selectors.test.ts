import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createPipeline, type ProfileInput } from 'assize';

interface Post {
  readonly id: string;
  readonly author?: string;
  readonly worth: number;
}

const posts = (text: string): readonly Post[] =>
  text.split(' ').map((id, k) => ({ id, worth: 100 - k, ...(id[0] !== '-' && { author: id[0]! }) }));
const by = (select: ProfileInput['select']): ProfileInput => ({
  tier2_scorers: [{ id: 'worth', expr: 'candidate.worth' }],
  select,
});
const pipelineBy = (select: ProfileInput['select']) => createPipeline<Post>(by(select));
const spread = async (params: object, text: string, select: ProfileInput['select'] = {}) => {
  const pipeline = await pipelineBy({
    ...select,
    place: { class: 'SpreadSelector', params: { by: 'candidate.author', ...params } },
  });
  return pipeline.rank(posts(text));
};
const idsOf = ({ selected }: { readonly selected: readonly { readonly id: string }[] }): string =>
  selected.map(({ id }) => id).join(' ');

describe('SpreadSelector', () => {
  it('keeps equal neighbours apart, and drops nothing', async () => {
    expect(idsOf(await spread({}, 'a1 a2 a3 b1 c1'))).toBe('a1 b1 a2 c1 a3');
    expect(idsOf(await spread({}, 'a1 a2 a3 b1'))).toBe('a1 b1 a2 a3');
  });

  it('never defers a row without a group', async () => {
    expect(idsOf(await spread({}, '-1 -2 a1 a2 -3'))).toBe('-1 -2 a1 -3 a2');
  });

  it('allows some of a group in a window', async () => {
    expect(idsOf(await spread({ most: 2, window: 4 }, 'a1 a2 a3 b1 b2 a4'))).toBe('a1 a2 b1 b2 a3 a4');
  });

  it('looks ahead only so far', async () => {
    expect(idsOf(await spread({ lookahead: 2 }, 'a1 a2 a3 b1'))).toBe('a1 a2 b1 a3');
  });

  it('says why a row moved', async () => {
    const { selected } = await spread({}, 'a1 a2 a3 b1');
    expect(selected.map(({ note }) => note?.text)).toEqual([
      undefined,
      undefined,
      'deferred from place 2 to 3: 1 of a were among the 1 before it',
      'in place 4 although 1 of a are among the 1 before it: no row ahead fits',
    ]);
  });

  it('chooses the top, if it diversifies', async () => {
    const pipeline = await pipelineBy({
      top: 2,
      diversify: { class: 'SpreadSelector', params: { by: 'candidate.author' } },
    });
    const ranking = pipeline.rankSync(posts('a1 a2 b1'));
    expect(idsOf(ranking)).toBe('a1 b1');
    expect(ranking.notSelected.map(({ id, text }) => [id, text])).toEqual([
      ['a2', 'in place 3 after deferring, below the top'],
    ]);
  });

  it('limits the first rows as one window', async () => {
    const { selected } = await spread({ most: 2, first: 4 }, 'a1 a2 a3 b1 a4 c1 a5');
    expect(selected.map(({ id, note }) => note?.text ?? id)).toEqual([
      'a1',
      'a2',
      'b1',
      'c1',
      'deferred from place 3 to 5: 2 of a were among the 3 before it',
      'deferred from place 5 to 6: 2 of a were among the 3 before it',
      'a5',
    ]);
  });

  it('refuses a limit that is as large as its window', async () => {
    await expect(spread({ most: 2, first: 2 }, 'a1')).rejects.toThrow('expected most below window or first');
  });

  // The order of X's home mixer: a limit on two kinds of authors near the top, and a soft one on neighbours.
  it('keeps several limits, and ignores the soft ones first', () => {
    const post = fc.record({
      author: fc.nat(4),
      server: fc.nat(4),
      topic: fc.option(fc.nat(2), { nil: undefined }),
    });
    const settings = fc.record({ most: fc.integer({ min: 1, max: 3 }), lookahead: fc.integer({ min: 1, max: 9 }) });
    const first = fc.integer({ min: 4, max: 12 });
    return fc.assert(
      fc.asyncProperty(fc.array(post, { maxLength: 30 }), settings, first, async (given, { most, lookahead }, near) => {
        const rows = given.map((one, k) => ({ ...one, id: `p${k}`, worth: 100 - k }));
        const authors = { most, first: near };
        const further = [
          { by: 'candidate.server', ...authors },
          { by: 'candidate.topic', soft: true },
        ];
        const params = { by: 'candidate.author', ...authors, lookahead, further };
        const pipeline = await createPipeline<object>(by({ place: { class: 'SpreadSelector', params } }));
        const left = [...rows];
        const expected: typeof rows = [];
        while (left.length > 0) {
          const ahead = left.slice(0, lookahead);
          const isFull = (key: 'author' | 'server', one: (typeof rows)[number]): boolean =>
            expected.filter((other) => other[key] === one[key]).length >= most;
          const mayFollow = (one: (typeof rows)[number]): boolean =>
            expected.length >= near || !(isFull('author', one) || isFull('server', one));
          const last = expected.at(-1)?.topic;
          const strict = ahead.findIndex((one) => mayFollow(one) && (last === undefined || one.topic !== last));
          const index = strict < 0 ? ahead.findIndex(mayFollow) : strict;
          expected.push(...left.splice(Math.max(0, index), 1));
        }
        expect(idsOf(pipeline.rankSync(rows))).toBe(expected.map(({ id }) => id).join(' '));
      }),
      { numRuns: 300 },
    );
  });

  it('places each row once, and keeps the limit while a row fits', () => {
    const groups = fc.array(fc.constantFrom('a', 'b', 'c', '-'), { minLength: 1, maxLength: 30 });
    return fc.assert(
      fc.asyncProperty(groups, fc.integer({ min: 2, max: 5 }), async (letters, window) => {
        const text = letters.map((letter, k) => `${letter}${k}`).join(' ');
        const { selected } = await spread({ window, most: window - 1 }, text);
        expect(selected.map(({ id }) => id).toSorted()).toEqual(text.split(' ').toSorted());
        const order = selected.map(({ id }) => id[0]!);
        for (let k = window - 1; k < order.length; k++) {
          const [last] = order.slice(k);
          const before = order.slice(k - window + 1, k);
          const isFull = last !== '-' && before.every((one) => one === last);
          // The limit is exceeded only if all rows that are left have this group.
          if (isFull) expect(new Set(order.slice(k))).toEqual(new Set([last]));
        }
      }),
      { numRuns: 60 },
    );
  });

  it('refuses a window that allows all', async () => {
    await expect(spread({ most: 2 }, 'a1')).rejects.toThrow('expected most below window');
  });
});

describe('WeightedPick', () => {
  const pick = { diversify: { class: 'WeightedPick' }, top: 2 };
  const items = posts('a b c d e f g h');

  it('chooses the best without a seed', async () => {
    const ranking = (await pipelineBy(pick)).rankSync(items);
    expect([idsOf(ranking), ranking.seed]).toEqual(['a b', undefined]);
  });

  it('chooses the same for the same seed, records it, and explains the draw', async () => {
    const pipeline = await pipelineBy(pick);
    const picks = Array.from({ length: 50 }, (_, seed) => idsOf(pipeline.rankSync(items, {}, { seed })));
    expect(picks.slice(0, 6)).toEqual(
      Array.from({ length: 6 }, (_, seed) => idsOf(pipeline.rankSync(items, {}, { seed }))),
    );
    expect(new Set(picks).size).toBeGreaterThan(10);
    const ranking = pipeline.rankSync(items, {}, { seed: 7 });
    expect(ranking.seed).toBe(7);
    expect(JSON.parse(JSON.stringify(ranking)).seed).toBe(7);
    expect(ranking.selected[0]!.note?.text).toMatch(/^drawn with a share of 0\.1\d+ \(seed 7\)$/);
    expect(ranking.notSelected[0]!.text).toMatch(/^not drawn, with a share of 0\.1\d+ \(seed 7\)$/);
  });

  it('draws in proportion to the weight, and rows without a weight last', async () => {
    const weight = 'candidate.worth > 98 ? candidate.worth == 100 ? 3.0 : 1.0 : 0.0';
    const pipeline = await pipelineBy({ diversify: { class: 'WeightedPick', params: { weight } }, top: 3 });
    const picks = Array.from({ length: 4000 }, (_, seed) => pipeline.rankSync(items, {}, { seed }).selected);
    const first = picks.filter(([one]) => one?.id === 'a').length;
    expect(first / picks.length).toBeCloseTo(0.75, 1);
    expect(new Set(picks.map(([, , third]) => third?.id))).toEqual(new Set(['c']));
  });
});

describe('the seed of a run', () => {
  const equal = Array.from({ length: 9 }, (_, k): Post => ({ id: String(k), worth: k < 7 ? 1 : 2 }));

  it('shuffles ties, and only ties', async () => {
    const pipeline = await pipelineBy({});
    const orders = Array.from({ length: 40 }, (_, seed) => pipeline.rankSync(equal, {}, { seed }));
    for (const { ranked } of orders) expect(ranked.map(({ score }) => score)).toEqual([2, 2, 1, 1, 1, 1, 1, 1, 1]);
    expect(new Set(orders.map(idsOf)).size).toBeGreaterThan(35);
    expect(idsOf(pipeline.rankSync(equal))).toBe('7 8 0 1 2 3 4 5 6');
  });

  it('is the same on every machine', async () => {
    const pipeline = await pipelineBy({ seed: 2 ** 40 + 1 });
    const ranking = pipeline.rankSync(equal);
    expect([idsOf(ranking), ranking.seed]).toMatchInlineSnapshot(`
      [
        "8 7 4 6 1 0 3 2 5",
        1099511627777,
      ]
    `);
  });

  it('keeps the order of `ties`, and the position if they name it', async () => {
    const pipeline = await pipelineBy({ ties: ['input'] });
    expect(idsOf(pipeline.rankSync(equal, {}, { seed: 3 }))).toBe('7 8 0 1 2 3 4 5 6');
  });

  it('comes from the call, else from the profile, and may be absent in the context', async () => {
    const pipeline = await pipelineBy({ seed: 'context.seed' });
    expect(pipeline.rankSync(equal, { seed: 5 }).seed).toBe(5);
    expect(pipeline.rankSync(equal, { seed: 5 }, { seed: 6 }).seed).toBe(6);
    expect(pipeline.rankSync(equal).seed).toBeUndefined();
    expect(() => pipeline.rankSync(equal, { seed: 0.5 })).toThrow('expected a whole number of at least 0');
  });

  it('selects the top as the whole order does, also by columns and after reweighing', async () => {
    const whole = (await pipelineBy({})).rankSync(equal, {}, { seed: 11 });
    const top = (await pipelineBy({ top: 4 })).rankSync(equal, {}, { seed: 11 });
    expect(top.selected.map(({ id }) => id)).toEqual(whole.ranked.slice(0, 4).map(({ id }) => id));
    expect(idsOf(whole.reweigh({ weights: { worth: 2 } }))).toBe(idsOf(whole));
  });

  it('is refused for a stream, with the reason', async () => {
    const pipeline = await pipelineBy({ top: 2 });
    await expect(pipeline.rankStream(equal, {}, { seed: 1 })).rejects.toThrow(
      'a seed gives a random number to each position of the whole input',
    );
  });
});
