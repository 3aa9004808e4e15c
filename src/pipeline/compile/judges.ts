import type { Entry, Profile, ScorerEntry, VetoEntry } from '../../profile/profile.js';
import type { Cell, Compiled, CompiledMeasure, CompiledScorer, CompiledVeto } from '../../stages/plan.js';
import { Loops } from '../../stages/loops.js';
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
  /** Whether an entry's `when` holds in the cell's run. */
  readonly inRun: (one: { readonly entry: VetoEntry | ScorerEntry }) => boolean;
}

/** Compiles the vetoes, the measures and the scorers of a profile. */
export function compileJudges({ vetoes, measures, scorers }: Profile, units: UnitCompiler, binder: Binder): Judges {
  const whens = new Map<Entry, () => boolean>();
  const unitOf = <V>(entry: Entry, stage: string): Compiled<V> => {
    whens.set(entry, binder.holds(entry.when, entry.id, stage));
    return made(entry, () => units.compile<V>(entry.use, stage, entry.id, entry.memory));
  };
  const holds = (entry: Entry): boolean => whens.get(entry)?.() ?? true;
  return {
    vetoes: vetoes.map((entry) => ({ entry, unit: unitOf<boolean>(entry, 'veto') })),
    scorers: scorers.map((entry) => ({ entry, unit: unitOf<number>(entry, 'score') })),
    measures: measures.map((entry) => {
      const unit = unitOf<number>(entry, 'measure');
      return { id: entry.id, timeout: entry.timeout, when: () => holds(entry), unit };
    }),
    inRun: ({ entry }) => holds(entry),
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
  return { vetoes: runsOf(vetoes, score.cell.state), scoring: score.scorings.of(score.scorers, undefined) };
}
