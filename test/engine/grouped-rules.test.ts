import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createPipeline, evaluate, type ProfileInput } from 'assize';

interface Post {
  readonly id: string;
  readonly author?: string;
  readonly likes: number;
}

const DECAY = { id: 'author_decay', group: 'candidate.author', multiply: 'max(0.25, pow(0.5, place - 1))' };
const profile = (changes: ProfileInput = {}): ProfileInput => ({
  tier2_scorers: [{ id: 'likes', expr: 'candidate.likes' }],
  adjustments: [DECAY],
  ...changes,
});
const posts: readonly Post[] = [
  { id: 'a1', author: 'ann', likes: 10 },
  { id: 'b1', author: 'bob', likes: 8 },
  { id: 'a2', author: 'ann', likes: 16 },
  { id: 'x1', likes: 3 },
  { id: 'a3', author: 'ann', likes: 10 },
  { id: 'x2', likes: 2 },
  { id: 'a4', author: 'ann', likes: 4 },
];
const scoresOf = ({ ranked }: { readonly ranked: readonly { readonly id: string; readonly score: number }[] }) =>
  Object.fromEntries(ranked.map(({ id, score }) => [id, score]));

describe('a rule with a group', () => {
  test('reads the place of a candidate in its group by score; ties keep the order of the input', async () => {
    const ranking = (await createPipeline<Post>(profile())).rankSync(posts);
    expect(scoresOf(ranking)).toEqual({ a2: 16, a1: 5, a3: 2.5, a4: 1, b1: 8, x1: 3, x2: 2 });
    expect(ranking.ranked.map(({ id }) => id)).toEqual(['a2', 'b1', 'a1', 'x1', 'a3', 'x2', 'a4']);
  });

  test('is explained with the place, and evaluates to the score', async () => {
    const ranking = (await createPipeline<Post>(profile())).rankSync(posts);
    for (const { id, score } of ranking.ranked) expect(evaluate(ranking.explain(id))).toBe(score);
    expect(JSON.stringify(ranking.explain('a3'))).toContain('place 3 in candidate.author');
    expect(JSON.stringify(await ranking.compare('a3', 'b1'))).toContain('author_decay');
  });

  test('uses the score after the earlier rules, and later rules read its result', async () => {
    const adjustments = [
      { id: 'off', when: 'candidate.id == "a2"', set: 1 },
      { ...DECAY },
      { id: 'small', when: 'score < 3', set: 0 },
    ];
    const ranking = (await createPipeline<Post>(profile({ adjustments }))).rankSync(posts);
    expect(scoresOf(ranking)).toEqual({ a1: 10, a3: 5, a4: 0, a2: 0, b1: 8, x1: 3, x2: 0 });
  });

  test('refuses a candidate whose group fails, and ranks the others without it', async () => {
    const adjustments = [{ ...DECAY, group: 'candidate.likes > 15 ? timestamp(candidate.author) : candidate.author' }];
    const ranking = (await createPipeline<Post>(profile({ adjustments }))).rankSync(posts);
    expect(ranking.refused.map(({ id, by }) => [id, by])).toEqual([['a2', 'author_decay']]);
    expect(ranking.ranked[0]?.id).toBe('a1');
  });

  test('is a set rule: no stream, all scores before the cut, the same after reweighing', async () => {
    const pipeline = await createPipeline<Post>(profile({ select: { top: 2 } }));
    const ranking = pipeline.rankSync(posts);
    expect(ranking.selected.map(({ id }) => id)).toEqual(['a2', 'b1']);
    expect(scoresOf(ranking.reweigh({ weights: { likes: 3 } }))).toEqual(scoresOf(ranking));
    expect(scoresOf(ranking)).toEqual(scoresOf(pipeline.rankSync(posts)));
    await expect(pipeline.rankStream(posts)).rejects.toThrow(
      'the rule author_decay compares the candidates of a group',
    );
    await expect(pipeline.score(posts[0]!)).rejects.toThrow('pass them as { among }');
  });

  test('is the only rule that can read `place`', async () => {
    const adjustments = [{ id: 'alone', multiply: 'place' }];
    await expect(createPipeline(profile({ adjustments }))).rejects.toThrow('rules with a group');
  });

  test('equals a model, with columns, rows and without code generation', async () => {
    const rows = fc.array(fc.tuple(fc.constantFrom('ann', 'bob', 'eve'), fc.integer({ min: 0, max: 9 })), {
      maxLength: 40,
    });
    const pipelines = await Promise.all([true, false].map((codegen) => createPipeline<Post>(profile(), { codegen })));
    fc.assert(
      fc.property(rows, (given) => {
        const items = given.map(([author, likes], k): Post => ({ id: String(k), author, likes }));
        const expected = items.map(({ author, likes }, k) => {
          const ahead = items.filter(
            (one, n) => one.author === author && (one.likes > likes || (one.likes === likes && n < k)),
          );
          return likes * Math.max(0.25, 0.5 ** ahead.length);
        });
        for (const pipeline of pipelines) {
          const found: number[] = [];
          for (const { index, score } of pipeline.rankSync(items).ranked) found[index] = score;
          expect(found).toEqual(expected);
        }
      }),
      { numRuns: 60 },
    );
  });

  test('with a rerank, the places are among the reranked', async () => {
    const pipeline = await createPipeline<Post>(
      profile({
        tier2_scorers: [
          { id: 'likes', expr: 'candidate.likes' },
          { id: 'again', expr: 'candidate.likes' },
        ],
        rerank: { top: 3, ask: ['again'] },
      }),
    );
    expect(scoresOf(await pipeline.rank(posts))).toEqual({ a2: 16, a1: 5, a3: 2.5 });
  });
});
