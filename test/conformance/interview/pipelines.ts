import { createPipeline, type ProfileInput } from 'assize';
import type { Case } from '../tally.js';
import { contextFrom, entryId, moveFrom } from './translate.js';
import type { Data, PipelineVector, Vectors } from './vectors.js';

const VETOES = ['KnowledgeCeilingScorer', 'ElementExhaustedScorer', 'RecentRedundancyScorer'];

async function ask(vector: PipelineVector, params: Readonly<Record<string, Data>>): Promise<Data> {
  const scorers = Object.keys(vector.weights);
  const profile: ProfileInput = {
    plugins: ['interview'],
    tier1_scorers: VETOES.map((name) => ({ id: entryId(name), class: name, params: params[name] })),
    combine: 'weighted_sum',
    tier2_scorers: Object.entries(vector.weights).map(([name, weight]) => ({
      id: entryId(name),
      class: name,
      params: params[name],
      weight,
      out_of_range: 'clamp',
      on_error: 'fail',
    })),
    select: { top: 1 },
  };
  const candidates = vector.candidates.map(moveFrom);
  const rank = async (factors: ProfileInput) =>
    (await createPipeline({ ...profile, ...factors })).rank(candidates, contextFrom(vector.context));
  const ranking = await rank({ phases: { given: {} }, phase_profiles: { given: vector.phaseProfile } });
  const sums = new Map((await rank({})).ranked.map(({ index, score }) => [index, score]));
  const finals = new Map(ranking.ranked.map(({ index, score }) => [index, score]));
  const rows = [...ranking.matrix.index];
  const expected = candidates.map((_, i) => {
    const by = ranking.refused.find(({ index }) => index === i)?.by;
    if (by !== undefined)
      return { vetoedBy: VETOES.find((name) => entryId(name) === by), scorerSum: null, finalScore: 0 };
    const raws = scorers.map((name) => [name, ranking.matrix.column(entryId(name)).values[rows.indexOf(i)]] as const);
    return { vetoedBy: null, rawScores: Object.fromEntries(raws), scorerSum: sums.get(i), finalScore: finals.get(i) };
  });
  return { expected, winner: ranking.selected[0]?.index };
}

/** Whole turns, with the real vetoes and scorers. */
export const pipelines = ({ pipelineVectors, configs }: Vectors): Promise<readonly Case[]> =>
  Promise.all(
    pipelineVectors.map(async (vector) => ({
      name: vector.id,
      expected: {
        winner: vector.winner,
        expected: vector.expected.map(({ vetoedBy, rawScores, scorerSum, finalScore }) =>
          vetoedBy === null ? { vetoedBy, rawScores, scorerSum, finalScore } : { vetoedBy, scorerSum, finalScore },
        ),
      },
      found: await ask(vector, configs.params['seed-yaml'] ?? {}),
    })),
  );
