import { createPipeline } from 'assize';
import type { Case } from '../tally.js';
import { RULINGS } from './rulings.js';
import { GivenReading, givenReadings } from './stubs.js';
import { contextFrom, moveFrom } from './translate.js';
import type { Data, ScorerVector, Vectors } from './vectors.js';

/** The classes that can use a reading; those of the service did so only if configured. */
const READERS = new Set([
  'KnowledgeCeilingScorer',
  'ClarificationVetoScorer',
  'AmbiguityScorer',
  'DepthBreadthBalanceScorer',
  'EngagementScorer',
]);

function paramsOf({ scorer, version, params }: ScorerVector, { codeDefaults }: Vectors['configs']): Data {
  const reads = READERS.has(scorer) ? { use_llm_signals: codeDefaults[scorer]?.['use_llm_signals'] ?? false } : {};
  if (scorer !== 'RecentRedundancyScorer') return { ...reads, ...params };
  // Only the late version compares with answers, with or without a threshold.
  const { user_response_threshold: threshold = 0.75, ...others } = params;
  return version === 'late' ? { ...others, user_response_threshold: threshold } : others;
}

async function ask(vector: ScorerVector, configs: Vectors['configs']): Promise<Data> {
  const entry = { id: 'unit', class: vector.scorer, params: paramsOf(vector, configs), on_error: 'fail' as const };
  const pipeline = await createPipeline(
    {
      plugins: ['interview'],
      signals: givenReadings,
      combine: 'weighted_sum',
      ...(vector.tier === 1 ? { tier1_scorers: [entry] } : { tier2_scorers: [{ ...entry, out_of_range: 'clamp' }] }),
    },
    { units: { GivenReading } },
  );
  const ranking = await pipeline.rank([moveFrom(vector.candidate)], contextFrom(vector.context));
  if (vector.tier === 1) return { isVeto: ranking.refused[0]?.kind === 'veto' };
  return { rawScore: ranking.ranked[0]?.score };
}

/** One veto or scorer, evaluated on one candidate. */
export const scorers = ({ scorerVectors, configs }: Vectors): Promise<readonly Case[]> =>
  Promise.all(
    scorerVectors.map(async (vector) => {
      const { isVeto, rawScore } = vector.expected;
      const expected = RULINGS[vector.id] ?? (vector.tier === 1 ? { isVeto } : { rawScore });
      return { name: vector.id, expected, found: await ask(vector, configs) };
    }),
  );
