import type { Profile } from '../../../profile/index.js';
import type { Binder } from '../../units/binder.js';
import type { UnitCompiler } from '../../units/unit-compiler.js';
import type { CurrentRun } from '../../entries/run-context.js';
import { LoopCache } from './loop-cache.js';
import { ScoringCache } from './scoring.js';
import { type CompiledScorer, type ScorePlan, ScorerCosts, type SecondPhasePlan } from './types.js';

/** Compiles the scorers, and how they combine. What can refuse is numbered: vetoes, scorers, combining, then rules. */
export function compileScorers(
  { scorers: entries, combine, weights, vetoes }: Profile,
  current: CurrentRun,
  units: UnitCompiler,
  binder: Binder,
  codegen: boolean,
): ScorePlan {
  const firstRefuser = vetoes.length;
  const scorers = entries.map(
    (entry, k): CompiledScorer => ({
      entry,
      refuser: firstRefuser + k,
      when: binder.condition(entry.when, entry.id, 'score'),
      unit: units.entry<number>(entry, 'score'),
    }),
  );
  const plan: Omit<ScorePlan, 'scoringOf'> = {
    current,
    scorers,
    combine,
    formula: typeof combine === 'string' ? undefined : binder.bind(combine.formula),
    cases: weights && { ...weights, evaluate: binder.bind(weights.by) },
    firstRefuser,
    combineRefuser: firstRefuser + scorers.length,
    weightOf: (expression) => binder.bind(expression)(undefined, 0),
    loops: new LoopCache(combine, weights !== undefined, codegen, scorers.length),
    costs: new ScorerCosts(scorers),
    conditional: scorers.some(({ entry }) => entry.when !== undefined),
  };
  const cache = new ScoringCache(plan);
  return { ...plan, scoringOf: (present, failures) => cache.get(present, failures) };
}

/**
 * The second phase of a ranking: a rerank, or pruning, which is for the pages so far.
 *
 * @param offset how many of the best are on earlier pages
 */
export function secondPhaseOf({ rerank, pruning, select }: Profile, offset = 0): SecondPhasePlan | undefined {
  if (rerank) return { how: 'rerank', ...rerank };
  const { top, minScore, ties } = select;
  if (typeof top !== 'number' || typeof minScore === 'object' || pruning.scorers.length === 0) return undefined;
  const ask = pruning.scorers.map(({ id }) => id);
  return { how: 'prune', ask, top: offset + top, minScore, byPosition: ties === undefined };
}
