import type { Focus, GeneratorRun, Place, Problem, Reported, ReportRun, RunFacts, Score } from '../contract/index.js';
import { failure } from '../document/failure.js';
import { makeVetoLoop } from '../matrix/veto-loop.js';
import type { Evaluate } from '../expression/expression.js';
import type {
  ClassUse,
  Entry,
  PackEntry,
  Profile,
  ReportEntry,
  SelectorEntry,
  SignalEntry,
  StrategyEntry,
} from '../profile/profile.js';
import type { Clock } from '../services/clock.js';
import type { CompiledAmount, CompiledRule } from '../stages/adjust.js';
import { causeOf } from '../stages/failures.js';
import type { CompiledStrategy } from '../stages/generate.js';
import type { Cell, Compiled, CompiledMeasure, CompiledScorer, CompiledVeto, RunState } from '../stages/plan.js';
import type { CompiledReport } from '../stages/report.js';
import { fixedScoring } from '../stages/score.js';
import { Loops, type ScorePlan, type Scoring } from '../stages/scoring.js';
import type { CompiledPhase, CompiledSignal } from '../stages/signals.js';
import { planVetoes, runsOf, type VetoPlan, type VetoRun } from '../stages/veto.js';
import { Binder } from './bind.js';
import { compileRule } from './compile-rule.js';
import { type CompiledSelector, compileSelector } from './compile-selector.js';
import { type Instantiate, ParamsRefused, UnitCompiler } from './compile-unit.js';
import { emptyState } from './state.js';

/** What fills the budget. */
export interface CompiledPack {
  readonly entry: PackEntry;
  readonly cost: Evaluate;
  readonly readsMeasures: boolean;
  readonly selector: CompiledSelector;
}

/** A profile compiled: everything that a run needs, and nothing of YAML, names or DI. */
export interface Plan {
  readonly profile: Profile;
  readonly cell: Cell;
  readonly clock: Clock;
  readonly units: UnitCompiler;
  /** For the expressions among a selector's params. */
  readonly binder: Binder;
  readonly signals: readonly CompiledSignal[];
  readonly phases: readonly CompiledPhase[];
  readonly strategies: readonly CompiledStrategy[];
  readonly vetoes: VetoPlan;
  readonly vetoInRun: (veto: CompiledVeto) => boolean;
  readonly pinned: Score<unknown, unknown> | undefined;
  readonly measures: readonly CompiledMeasure[];
  readonly score: ScorePlan;
  readonly scorerInRun: (scorer: CompiledScorer) => boolean;
  /** Both tiers in one pass, where nothing depends on the run or on what the vetoes keep. */
  readonly onePass: { readonly vetoes: readonly VetoRun[]; readonly scoring: Scoring } | undefined;
  readonly rules: readonly CompiledRule[];
  readonly firstRuleJudge: number;
  readonly select: {
    readonly duplicates: CompiledAmount | undefined;
    readonly minScore: number | undefined;
    readonly ties: readonly (CompiledAmount | undefined)[] | undefined;
    readonly top: number | undefined;
  };
  readonly pack: CompiledPack | undefined;
  readonly place: CompiledSelector | undefined;
  readonly fallback: readonly { readonly when: () => boolean; readonly use: string }[];
  readonly reports: readonly CompiledReport[];
  /** Who a verdict names, by position. */
  readonly judges: readonly string[];
  /** Whether a candidate's score depends on the others of its run. */
  readonly needsSet: boolean;
}

/** The methods of the kinds that depend on the run by nature, as the engine calls them: params are their schema's. */
interface Prepares<R, V> {
  prepare(params: unknown, run: R): V | Promise<V>;
}

/** Makes a unit of an entry: whatever goes wrong is the entry's problem, with its place. */
function made<R>(
  entry: { readonly id: string; readonly path?: string; readonly place?: Place | undefined },
  make: () => R,
): R {
  try {
    return make();
  } catch (error) {
    const { id, path = id, place } = entry;
    const [first, ...rest] = causeOf(error instanceof ParamsRefused ? error.cause : error).split('\n');
    const hint = rest.length === 0 ? undefined : rest.join('\n');
    const problem: Problem =
      error instanceof ParamsRefused
        ? { code: 'ASZ202', message: `the params of ${id} are refused: ${first}`, path, place, hint }
        : { code: 'ASZ305', message: `the unit of ${id} cannot be made: ${first}`, path, place, hint };
    throw failure([problem], { cause: error });
  }
}

/** What every unit is told about its run. */
const factsOf = (binder: Binder, state: RunState, abort: AbortSignal): RunFacts => ({
  now: state.now,
  context: state.context,
  signals: state.signals,
  abort,
  expression: binder.paramsOf(state),
});

/** Whether one of a profile's entries wants to see the whole set, so that one candidate alone cannot be scored. */
const needsSet = ({ vetoes, measures, scorers }: Profile): boolean =>
  [...vetoes, ...measures, ...scorers].some((entry) => entry.sights.has('set'));

/** Compiles a profile once; the plan is run many times. */
export function compilePlan(profile: Profile, instantiate: Instantiate, clock: Clock, codegen = true): Plan {
  const cell: Cell = { state: emptyState() };
  const binder = binderFor(profile, cell);
  const units = new UnitCompiler(cell, binder, instantiate);
  const { combine, weights, select } = profile;
  const when = new Map<unknown, () => boolean>();
  const inRun = (item: { readonly entry: unknown }): boolean => when.get(item.entry)?.() ?? true;
  const compiled = <E extends Entry, V>(entry: E, stage: string): { entry: E; unit: Compiled<V> } => {
    when.set(entry, binder.holds(entry.when, entry.id, stage));
    return { entry, unit: made(entry, () => units.compile<V>(entry.use, stage, entry.id, entry.memory)) };
  };
  const instance = <R, V>(entry: { readonly id: string }, use: ClassUse): ((run: R) => V | Promise<V>) => {
    const unit = made(entry, () => instantiate(use.unit)) as Prepares<R, V>;
    return (run) => unit.prepare(use.params, run);
  };
  const signalOf = ({ id, use }: SignalEntry): CompiledSignal['compute'] => {
    const compute = instance<RunFacts, unknown>({ id }, use);
    return (state, abort) => compute(factsOf(binder, state, abort));
  };
  const focusesOf = ({ id, data, focus }: StrategyEntry): CompiledStrategy['focuses'] => {
    const generate = focus && instance<GeneratorRun, readonly Focus[]>({ id }, focus.use);
    return generate && ((state, abort) => generate(Object.assign(factsOf(binder, state, abort), { strategy: data })));
  };
  const reportOf = ({ id, use }: ReportEntry): CompiledReport['compute'] => {
    const compute = instance<ReportRun, Reported>({ id }, use);
    return (facts, state, abort) => compute(Object.assign(factsOf(binder, state, abort), facts));
  };
  const vetoes = profile.vetoes.map((entry) => compiled<typeof entry, boolean>(entry, 'veto'));
  const scorers = profile.scorers.map((entry) => compiled<typeof entry, number>(entry, 'score'));
  const rules = profile.adjustments.map((rule) => compileRule(rule, binder));
  const vetoPlan = planVetoes(vetoes, profile.vetoOnFirst, (count) => makeVetoLoop(count, codegen));
  const score: ScorePlan = {
    cell,
    scorers,
    combine,
    formula: typeof combine === 'string' ? undefined : binder.bind(combine.formula),
    cases: weights && { ...weights, evaluate: binder.bind(weights.by) },
    firstJudge: vetoes.length,
    combineJudge: vetoes.length + scorers.length,
    weightOf: (expression) => binder.bind(expression)(undefined, 0),
    loops: new Loops(combine, weights !== undefined, codegen, scorers.length),
  };
  return {
    profile,
    cell,
    clock,
    units,
    binder,
    signals: profile.signals.map((entry): CompiledSignal => {
      const { id, when: asked, timeout, retries, onError } = entry;
      return { id, timeout, retries, onError, when: binder.holds(asked, id, 'signals'), compute: signalOf(entry) };
    }),
    phases: profile.phases.map(({ name, turns, when: asked }) => ({
      name,
      turns,
      when: binder.holds(asked, name, 'signals'),
    })),
    strategies: profile.strategies.map((entry): CompiledStrategy => {
      const { id, data, focus } = entry;
      return { id, data, available: binder.holds(focus?.when, id, 'generate'), focuses: focusesOf(entry) };
    }),
    vetoes: vetoPlan,
    vetoInRun: inRun,
    pinned: profile.candidate.pinned && binder.bind(profile.candidate.pinned),
    measures: profile.measures.map((entry): CompiledMeasure => {
      const { unit } = compiled<typeof entry, number>(entry, 'measure');
      return { id: entry.id, timeout: entry.timeout, when: () => inRun({ entry }), unit };
    }),
    score,
    scorerInRun: inRun,
    onePass: onePass(profile, vetoPlan, score, cell.state),
    rules,
    firstRuleJudge: vetoes.length + scorers.length + 1,
    select: {
      duplicates: select.duplicates && binder.bind(select.duplicates),
      minScore: select.minScore,
      ties: select.ties?.map((tie) => tie && binder.bind(tie)),
      top: select.top,
    },
    pack: select.pack && {
      entry: select.pack,
      cost: binder.bind(select.pack.cost),
      readsMeasures: select.pack.cost.reads.some((read) => read.startsWith('measures')),
      selector: selector(select.pack, 'pack', instantiate),
    },
    place: select.place && selector(select.place, 'place', instantiate),
    fallback: profile.fallback.map(({ when: asked, use }) => ({ when: binder.holds(asked, use, 'fallback'), use })),
    reports: profile.reports.map((entry): CompiledReport => {
      const { id, timeout, warnBelow, when: asked } = entry;
      return { id, timeout, warnBelow, when: binder.holds(asked, id, 'report'), compute: reportOf(entry) };
    }),
    judges: [...vetoes, ...scorers, { entry: { id: 'combine' } }, ...rules.map((entry) => ({ entry }))].map(
      ({ entry }) => entry.id,
    ),
    needsSet: needsSet(profile),
  };
}

const selector = (entry: SelectorEntry, stage: 'pack' | 'place', instantiate: Instantiate): CompiledSelector =>
  made({ id: stage, path: entry.path, place: entry.place }, () =>
    compileSelector(entry.use, { place: entry.place, stage }, instantiate),
  );

function binderFor(profile: Profile, cell: Cell): Binder {
  return new Binder(cell, {
    measures: profile.measures.map((entry) => entry.id),
    scorers: profile.scorers.map((entry) => entry.id),
    context: profile.context.size > 0 ? [...new Set([...profile.context.keys(), 'now', 'turn_count'])] : undefined,
  });
}

/** One pass wants vetoes that stop at the first, and no stage between the tiers. */
function onePass(profile: Profile, vetoes: VetoPlan, score: ScorePlan, state: RunState): Plan['onePass'] {
  const staged = !profile.vetoOnFirst || profile.measures.length > 0 || profile.candidate.pinned !== undefined;
  const varies = vetoes.groups.some((group) => group.vetoes.some(({ entry, unit }) => unit.batch || entry.when));
  const scoring = staged || varies ? undefined : fixedScoring(score, state);
  return scoring && { vetoes: runsOf(vetoes, state), scoring };
}
