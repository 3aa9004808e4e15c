import { createPipeline, type ProfileInput } from 'assize';

/** Ranks, and returns the scores of the entry `judged` by id. */
async function rankBy(profile: ProfileInput, candidates: readonly object[], query: string) {
  const pipeline = await createPipeline(profile);
  const ranking = await pipeline.rank(candidates, { query });
  const scores: Record<string, number | null> = Object.fromEntries(
    ranking.ranked.map(({ id, index }) => [id, ranking.terms({ index })!.scores['judged'] ?? null]),
  );
  return { pipeline, ranking, scores, failures: ranking.degraded.filter(({ entry }) => entry === 'judged') };
}

/** The common part of tests of a class that scores by a rubric. */
interface Judging {
  readonly class: string;
  readonly rubric: string;
  readonly params?: object;
  readonly items: readonly object[];
  readonly query: string;
}

/** Profiles with the class and a scorer that never fails, so that a failure loses no candidate; and runs of them. */
export function rubricRuns({ class: name, rubric, params: common, items, query }: Judging) {
  const profileOf = (base_url: string, params: object = {}, model: object = {}): ProfileInput => ({
    plugins: ['rerank'],
    tier2_scorers: [
      { id: 'base', expr: 'candidate.base' },
      {
        id: 'judged',
        class: name,
        params: {
          model: { name: 'tiny', base_url, ...model },
          rubric,
          text: 'text',
          query: 'query',
          parallel: 1,
          ...common,
          ...params,
        },
        on_error: 'skip',
      },
    ],
  });
  const rank = (profile: ProfileInput, candidates: readonly object[] = items) => rankBy(profile, candidates, query);
  return { profileOf, rank };
}
