import { describe, expectTypeOf, test } from 'vitest';
import {
  type Ask,
  createPipeline,
  type Pipeline,
  type ProfileInput,
  type Ranked,
  type Ranking,
  type Refused,
  scorer,
} from 'assize';
import {
  defineScorer,
  duration,
  type ParamsOf,
  type PathReader,
  path,
  type RowScorer,
  type Score,
  z,
} from 'assize/sdk';

interface Article {
  readonly id: string;
  readonly words: number;
}

describe('types', () => {
  test('a ranking has the type of its candidates', async () => {
    type Ranks = Pipeline<Article>['rank'];
    type Scores = Pipeline<Article>['score'];
    expectTypeOf(await createPipeline<Article>({})).toEqualTypeOf<Pipeline<Article>>();
    expectTypeOf<Ranks>().parameter(0).toEqualTypeOf<readonly Article[] | undefined>();
    expectTypeOf<Ranks>().returns.resolves.toEqualTypeOf<Ranking<Article>>();
    expectTypeOf<Scores>().returns.resolves.toEqualTypeOf<Ranked<Article> | Refused<Article>>();
    type Of = Ranking<Article>;
    expectTypeOf<Of['ranked'][number]['candidate']>().toEqualTypeOf<Article>();
    expectTypeOf<Of['selected'][number]['score']>().toEqualTypeOf<number | undefined>();
    expectTypeOf<Of['refused'][number]['kind']>().toEqualTypeOf<'veto' | 'absent' | 'error' | 'unscored'>();
    expectTypeOf<Of['ranked']>().toEqualTypeOf<readonly Ranked<Article>[]>();
  });

  test('a profile with a typo does not compile', () => {
    expectTypeOf<{ tier2_scorers: { id: string; expr: string }[] }>().toExtend<ProfileInput>();
    // @ts-expect-error -- tier2_scorers
    const key: ProfileInput = { tier2_scorer: [] };
    // @ts-expect-error -- weight
    const entry: ProfileInput = { tier2_scorers: [{ id: 'a', expr: '1.0', wieght: 1 }] };
    // @ts-expect-error -- skip is Tier 2's
    const rule: ProfileInput = { tier1_scorers: [{ id: 'a', expr: 'true', on_absent: 'skip' }] };
    // @ts-expect-error -- weighted_mean
    const combine: ProfileInput = { combine: 'mean' };
    expectTypeOf([key, entry, rule, combine]).toEqualTypeOf<ProfileInput[]>();
  });

  test('a unit has the params of its schema and its declared candidate type', () => {
    class Fresh implements RowScorer<ParamsOf<typeof Fresh>, Article> {
      static readonly meta = defineScorer({
        summary: 'Fresh.',
        params: z.strictObject({ field: path('at'), half_life: duration('1d'), top: z.number().optional() }),
        range: ({ top }) => [0, top ?? 1],
      });
      compile({ field, half_life }: ParamsOf<typeof Fresh>): Score<Article> {
        expectTypeOf(field).toEqualTypeOf<PathReader>();
        expectTypeOf(half_life).toEqualTypeOf<number>();
        return ({ words }) => words;
      }
    }
    expectTypeOf<ParamsOf<typeof Fresh>>().toEqualTypeOf<{
      field: PathReader;
      half_life: number;
      top?: number | undefined;
    }>();
    expectTypeOf(scorer<Article>)
      .parameter(0)
      .toEqualTypeOf<Score<Article> | Ask<Article, number>>();
    scorer(async ({ words }: Article, { signal }) => (signal.aborted ? undefined : words), { concurrency: 2 });
    // @ts-expect-error -- the resolved value of an async unit is checked too
    scorer(async (article: Article) => article.id);
    // @ts-expect-error -- nothing awaits a unit that is not async
    scorer(({ words }: Article) => words, { concurrency: 2 });
    // @ts-expect-error -- a scorer returns a number
    scorer((article: Article) => article.id);
  });
});
