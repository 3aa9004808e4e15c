import type { Entry, Profile } from '../../profile/profile.js';
import { Loops } from '../../stages/loops.js';
import type { Cell, Compiled, CompiledMeasure, CompiledScorer, CompiledVeto } from '../../stages/plan.js';
import { type ScorePlan, Scorings } from '../../stages/scoring.js';
import { runsOf, type VetoPlan } from '../../stages/veto.js';
import type { Binder } from './bind.js';
import { made } from './made.js';
import type { OnePass } from './plan.js';
import type { UnitCompiler } from './unit.js';

/** The entries that are asked about candidates, compiled. */
export interface Judges {
  readonly vetoes: readonly CompiledVeto[];
  readonly measures: readonly CompiledMeasure[];
  readonly scorers: readonly CompiledScorer[];
}

/** Compiles the vetoes, the measures and the scorers of a profile. */
export function compileJudges({ vetoes, measures, scorers }: Profile, units: UnitCompiler, binder: Binder): Judges {
  const when = ({ id, when: condition }: Entry, stage: string) => binder.holds(condition, id, stage);
  const unitOf = <V>(entry: Entry, stage: string): Compiled<V> =>
    made(entry, () => units.compile<V>(entry.use, stage, entry.id, entry.memory));
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
  { vetoes, scorers }: Judges,
  cell: Cell,
  binder: Binder,
  codegen: boolean,
): ScorePlan {
  const plan: Omit<ScorePlan, 'scorings'> = {
    cell,
    scorers,
    combine,
    formula: typeof combine === 'string' ? undefined : binder.bind(combine.formula),
    cases: weights && { ...weights, evaluate: binder.bind(weights.by) },
    firstJudge: vetoes.length,
    combineJudge: vetoes.length + scorers.length,
    weightOf: (expression) => binder.bind(expression)(undefined, 0),
    loops: new Loops(combine, weights !== undefined, codegen, scorers.length),
    conditional: scorers.some(({ entry }) => entry.when !== undefined),
  };
  return { ...plan, scorings: new Scorings(plan) };
}

/** One pass wants vetoes that stop at the first, and no stage between the tiers. */
export function onePass(
  { vetoOnFirst, measures, candidate }: Profile,
  vetoes: VetoPlan,
  score: ScorePlan,
): OnePass | undefined {
  const staged = !vetoOnFirst || measures.length > 0 || candidate.pinned !== undefined;
  const varies = vetoes.groups.some((group) => group.vetoes.some(({ entry, unit }) => unit.batch || entry.when));
  const fixed = ({ entry, unit }: CompiledScorer) => !unit.batch && !entry.when && typeof entry.weight === 'number';
  if (staged || varies || !score.scorers.every(fixed)) return undefined;
  return { vetoes: runsOf(vetoes, score.cell.state), scoring: score.scorings.of(score.scorers, []) };
}
