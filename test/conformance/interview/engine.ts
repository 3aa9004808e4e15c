import { AssizeError, createPipeline, type ProfileInput } from 'assize';
import type { UnitClass } from 'assize/sdk';
import type { Case } from '../tally.js';
import { RULINGS } from './rulings.js';
import { stubScorer, stubVeto } from './stubs.js';
import type { Data, EngineVector, Vectors } from './vectors.js';

// The stubs of a case may have any id: ours are named by position.
const vetoId = (k: number): string => `veto${k}`;
const scorerId = (k: number): string => `scorer${k}`;

type Phases = Readonly<Record<string, object>>;

/** Without a phase it is the first: there is no turn count. */
const phasesOf = ({ phase }: EngineVector): Phases =>
  phase === null ? { exploratory: {}, focused: {}, closing: {} } : { [phase]: {} };

/** The case's weights: by strategy, otherwise their default, otherwise the scorer's own. */
function weighted({ tier2, strategyId }: EngineVector): Pick<ProfileInput, 'tier2_scorers' | 'weights'> {
  const byStrategy = tier2.flatMap(({ strategyWeights }, k) => {
    const weight = strategyWeights?.[strategyId];
    return weight === undefined ? [] : [[scorerId(k), weight] as const];
  });
  return {
    tier2_scorers: tier2.map(({ strategyWeights, weight = 1 }, k) => ({
      id: scorerId(k),
      class: `Scorer${k}`,
      weight: strategyWeights?.['default'] ?? weight,
      on_error: 'fail',
      out_of_range: 'clamp',
    })),
    weights: { by: 'candidate.strategy.id', cases: { [strategyId]: Object.fromEntries(byStrategy) } },
  };
}

async function ask(vector: EngineVector, { phaseProfiles }: Vectors['configs']): Promise<Data> {
  const { tier1, tier2, strategyId } = vector;
  const [asked1, asked2] = [new Set<string>(), new Set<string>()];
  const units: Record<string, UnitClass> = {};
  for (const [k, stub] of tier1.entries()) units[`Veto${k}`] = stubVeto(stub, asked1);
  for (const [k, stub] of tier2.entries()) units[`Scorer${k}`] = stubScorer(stub, asked2);

  const table = typeof vector.phaseProfiles === 'string' ? phaseProfiles[vector.phaseProfiles] : vector.phaseProfiles;
  const phases = phasesOf(vector);
  const rows = Object.entries(table ?? {}).filter(([phase]) => Object.hasOwn(phases, phase));
  const factors: ProfileInput = { phases, phase_profiles: Object.fromEntries(rows) };
  const scoring: ProfileInput = { combine: 'weighted_sum', ...weighted(vector) };
  const vetoing: ProfileInput = {
    veto_on_first: vector.engineConfig.veto_on_first ?? true,
    tier1_scorers: tier1.map((_, k) => ({ id: vetoId(k), class: `Veto${k}`, on_error: 'fail' })),
  };
  const rank = async (profile: ProfileInput) =>
    (await createPipeline(profile, { units, codegen: true })).rank([{ strategy: { id: strategyId } }]);
  const evaluated = (): Data => ({ tier1Evaluated: [...asked1], tier2Evaluated: [...asked2] });
  try {
    const ranking = await rank({ ...vetoing, ...scoring, ...factors });
    const asked = evaluated();
    const by = ranking.refused[0]?.by;
    if (by !== undefined) {
      const vetoedBy = tier1.find((_, k) => vetoId(k) === by)?.id;
      return { ...asked, vetoedBy, finalScore: 0, scorerSum: null, phaseMultiplier: null };
    }
    const one: ProfileInput = { tier2_scorers: [{ id: 'one', expr: '1.0' }] };
    const contribution = (k: number): number | undefined => {
      const { strategyWeights, weight = 1 } = tier2[k]!;
      const raw = ranking.matrix.column(scorerId(k)).values[0] ?? Number.NaN;
      return (strategyWeights?.[strategyId] ?? strategyWeights?.['default'] ?? weight) * Math.min(2, Math.max(0, raw));
    };
    return {
      ...asked,
      vetoedBy: null,
      scorerSum: (await rank(scoring)).ranked[0]?.score,
      phaseMultiplier: (await rank({ ...one, ...factors })).ranked[0]?.score,
      finalScore: ranking.ranked[0]?.score,
      contributions: Object.fromEntries(tier2.map(({ id }, k) => [id, contribution(k)])),
    };
  } catch (error) {
    if (!(error instanceof AssizeError)) throw error;
    return { ...evaluated(), error: true, failedTier: /veto\d/.test(error.message) ? 1 : 2 };
  }
}

/** One candidate through both tiers, the combination and the phase's factor. */
export const engine = ({ engineVectors, configs }: Vectors): Promise<readonly Case[]> =>
  Promise.all(
    engineVectors.map(async (vector) => ({
      name: vector.id,
      expected: RULINGS[vector.id] ?? vector.expected,
      found: await ask(vector, configs),
    })),
  );
