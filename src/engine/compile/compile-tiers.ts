import type { Entry, Profile } from '../../profile/profile.js';
import type { FusedPass } from '../plan.js';
import type { CompiledMeasure, CompiledScorer, CompiledUnit, CompiledVeto, CurrentRun } from '../run-context.js';
import { LoopCache } from '../stages/score/loop-cache.js';
import { type ScorePlan, ScoringCache } from '../stages/score/scoring.js';
import { activeVetoes, type VetoPlan } from '../stages/veto/veto.js';
import type { Binder } from './binder.js';
import type { UnitCompiler } from './unit-compiler.js';
import { reportUnitProblem } from './unit-problems.js';

/** The entries that are asked about candidates, compiled. */
export interface CompiledTiers {
  readonly vetoes: readonly CompiledVeto[];
  readonly measures: readonly CompiledMeasure[];
  readonly scorers: readonly CompiledScorer[];
}

/** Compiles the vetoes, the measures and the scorers of a profile. */
export function compileTiers(
  { vetoes, measures, scorers }: Profile,
  units: UnitCompiler,
  binder: Binder,
): CompiledTiers {
  const when = ({ id, when: condition }: Entry, stage: string) => binder.condition(condition, id, stage);
  const unitOf = <V>(entry: Entry, stage: string): CompiledUnit<V> =>
    reportUnitProblem(entry, () => units.compile<V>(entry.use, stage, entry.id, entry.memory));
  return {
    vetoes: vetoes.map((entry) => ({ entry, when: when(entry, 'veto'), unit: unitOf<boolean>(entry, 'veto') })),
    scorers: scorers.map((entry) => ({ entry, when: when(entry, 'score'), unit: unitOf<number>(entry, 'score') })),
    measures: measures.map((entry) => {
      const { id, timeout } = entry;
      return { id, timeout, when: when(entry, 'measure'), unit: unitOf<number>(entry, 'measure') };
    }),
  };
}

/** How the profile scores. What refuses is numbered: the vetoes, the scorers, combining, then the rules. */
export function compileScoring(
  { combine, weights }: Profile,
  { vetoes, scorers }: CompiledTiers,
  current: CurrentRun,
  binder: Binder,
  codegen: boolean,
): ScorePlan {
  const plan: Omit<ScorePlan, 'scorings'> = {
    current,
    scorers,
    combine,
    formula: typeof combine === 'string' ? undefined : binder.bind(combine.formula),
    cases: weights && { ...weights, evaluate: binder.bind(weights.by) },
    firstRefuser: vetoes.length,
    combineRefuser: vetoes.length + scorers.length,
    weightOf: (expression) => binder.bind(expression)(undefined, 0),
    loops: new LoopCache(combine, weights !== undefined, codegen, scorers.length),
    conditional: scorers.some(({ entry }) => entry.when !== undefined),
  };
  return { ...plan, scorings: new ScoringCache(plan) };
}

/** One pass wants vetoes that stop at the first, and no stage between the tiers. */
export function compileFusedPass(
  { vetoOnFirst, measures, candidate }: Profile,
  vetoes: VetoPlan,
  score: ScorePlan,
): FusedPass | undefined {
  const staged = !vetoOnFirst || measures.length > 0 || candidate.pinned !== undefined;
  const varies = vetoes.groups.some((group) => group.vetoes.some(({ entry, unit }) => unit.prepares || entry.when));
  const fixed = ({ entry, unit }: CompiledScorer) => !unit.prepares && !entry.when && typeof entry.weight === 'number';
  if (staged || varies || !score.scorers.every(fixed)) return undefined;
  return { vetoes: activeVetoes(vetoes, score.current.context), scoring: score.scorings.of(score.scorers, []) };
}
