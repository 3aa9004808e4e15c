import type { Focus, GeneratorRun, Reported, ReportRun, RunFacts, Score } from '../contract/index.js';
import type { Clock } from '../services/clock.js';
import { makeVetoLoop } from '../matrix/veto-loop.js';
import type { Adjustment, Amount, ClassUse, Profile, TableFactor } from '../profile/profile.js';
import type { CompiledAmount, CompiledFactor, CompiledRule } from '../stages/adjust.js';
import type { CompiledStrategy } from '../stages/generate.js';
import type { Cell, CompiledMeasure, CompiledScorer, CompiledVeto, RunState } from '../stages/plan.js';
import type { CompiledReport } from '../stages/report.js';
import { fixedScoring } from '../stages/score.js';
import { Loops, type ScorePlan, type Scoring } from '../stages/scoring.js';
import type { CompiledPhase, CompiledSignal } from '../stages/signals.js';
import { planVetoes, runsOf, type VetoPlan, type VetoRun } from '../stages/veto.js';
import { Binder } from './bind.js';
import { type Instantiate, UnitCompiler } from './compile-unit.js';
import { emptyState } from './state.js';

/** A profile compiled: everything that a run needs, and nothing of YAML, names or DI. */
export interface Plan {
  readonly profile: Profile;
  readonly cell: Cell;
  readonly clock: Clock;
  readonly units: UnitCompiler;
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

/** Compiles a profile once; the plan is run many times. */
export function compilePlan(profile: Profile, instantiate: Instantiate, clock: Clock, codegen = true): Plan {
  const cell: Cell = { state: emptyState() };
  const phases = profile.phases.length > 0 ? ['phase'] : [];
  const binder = new Binder(cell, {
    signals: [...profile.signals.map((signal) => signal.id), ...phases],
    measures: profile.measures.map((measure) => measure.id),
    scorers: profile.scorers.map((scorer) => scorer.id),
  });
  const units = new UnitCompiler(cell, binder, instantiate);
  const when = new Map<unknown, () => boolean>();
  const inRun = (item: { readonly entry: unknown }): boolean => when.get(item.entry)?.() ?? true;
  const vetoes = profile.vetoes.map((entry): CompiledVeto => {
    when.set(entry, binder.holds(entry.when));
    return { entry, unit: units.compile(entry.use) };
  });
  const scorers = profile.scorers.map((entry): CompiledScorer => {
    when.set(entry, binder.holds(entry.when));
    return { entry, unit: units.compile(entry.use) };
  });
  const { combine, weights, select } = profile;
  const rules = profile.adjustments.map((rule) => compileRule(rule, binder));
  const vetoPlan = planVetoes(vetoes, profile.vetoOnFirst, (count) => makeVetoLoop(count, codegen));
  const score: ScorePlan = {
    scorers,
    combine,
    formula: typeof combine === 'string' ? undefined : binder.bind(combine.formula),
    cases: weights && { ...weights, evaluate: binder.bind(weights.by) },
    firstJudge: vetoes.length,
    combineJudge: vetoes.length + scorers.length,
    weightOf: (expression) => binder.once(expression)(),
    loops: new Loops(combine, weights !== undefined, codegen),
  };
  const optional = (expression: Parameters<Binder['bind']>[0] | undefined) => expression && binder.bind(expression);
  return {
    profile,
    cell,
    clock,
    units,
    signals: profile.signals.map(({ id, use, when: asked, timeout, retries, onError }): CompiledSignal => {
      const unit = instantiate(use.unit) as Prepares<RunFacts, unknown>;
      return {
        id,
        timeout,
        retries,
        onError,
        when: binder.holds(asked),
        compute: (run) => unit.prepare(use.params, run),
      };
    }),
    phases: profile.phases.map(({ name, turns, when: asked }) => ({ name, turns, when: binder.holds(asked) })),
    strategies: profile.strategies.map(
      ({ id, data, focus }): CompiledStrategy => ({
        id,
        data,
        available: binder.holds(focus?.when),
        focuses: focus && generator(focus.use, instantiate),
      }),
    ),
    vetoes: vetoPlan,
    vetoInRun: inRun,
    pinned: optional(profile.candidate.pinned),
    measures: profile.measures.map(
      ({ id, use, timeout, when: asked }): CompiledMeasure => ({
        id,
        timeout,
        when: binder.holds(asked),
        unit: units.compile(use),
      }),
    ),
    score,
    scorerInRun: inRun,
    onePass: onePass(profile, vetoPlan, score, cell.state),
    rules,
    firstRuleJudge: vetoes.length + scorers.length + 1,
    select: {
      duplicates: optional(select.duplicates),
      minScore: select.minScore,
      ties: select.ties?.map(optional),
      top: select.top,
    },
    fallback: profile.fallback.map(({ when: asked, use }) => ({ when: binder.holds(asked), use })),
    reports: profile.reports.map(({ id, use, timeout, warnBelow, when: asked }): CompiledReport => {
      const unit = instantiate(use.unit) as Prepares<ReportRun, Reported>;
      return { id, timeout, warnBelow, when: binder.holds(asked), compute: (run) => unit.prepare(use.params, run) };
    }),
    judges: [...vetoes, ...scorers]
      .map(({ entry }) => entry.id)
      .concat(
        'combine',
        rules.map((rule) => rule.id),
      ),
    needsSet: profile.scorers.some((scorer) => scorer.sights.has('set')),
  };
}

/** One pass wants vetoes that stop at the first, and no stage between the tiers. */
function onePass(profile: Profile, vetoes: VetoPlan, score: ScorePlan, state: RunState): Plan['onePass'] {
  const staged = !profile.vetoOnFirst || profile.measures.length > 0 || profile.candidate.pinned !== undefined;
  const varies = vetoes.groups.some((group) => group.vetoes.some(({ entry, unit }) => unit.batch || entry.when));
  const scoring = staged || varies ? undefined : fixedScoring(score, state);
  return scoring && { vetoes: runsOf(vetoes, state), scoring };
}

function generator(use: ClassUse, instantiate: Instantiate): CompiledStrategy['focuses'] {
  const unit = instantiate(use.unit) as Prepares<GeneratorRun, readonly Focus[]>;
  return (run) => unit.prepare(use.params, run);
}

function compileRule(rule: Adjustment, binder: Binder): CompiledRule {
  const amount = (value: Amount | undefined): CompiledAmount | undefined =>
    value === undefined ? undefined : typeof value === 'number' ? () => value : binder.bind(value);
  const { multiply } = rule;
  const isTable = typeof multiply === 'object' && 'table' in multiply;
  const factor = isTable ? undefined : amount(multiply);
  return {
    id: rule.id,
    when: rule.when && binder.bind(rule.when),
    set: amount(rule.set),
    add: amount(rule.add),
    multiply: isTable ? tableFactor(multiply, binder) : factor && { factor, zeroRefuses: false },
    min: amount(rule.min),
    max: amount(rule.max),
  };
}

/** Looks the factor up, one key a level; the rule does not fire where a key is absent. */
function tableFactor({ table, by, missing, zero }: TableFactor, binder: Binder): CompiledFactor {
  const keys = by.map((key) => binder.bind(key));
  const factor: CompiledAmount = (candidate, row) => {
    let at: unknown = table;
    for (const keyOf of keys) {
      const key = keyOf(candidate, row);
      if (key === undefined) return undefined;
      at = at instanceof Map ? at.get(typeof key === 'string' ? key : JSON.stringify(key)) : undefined;
    }
    return typeof at === 'number' ? at : missing;
  };
  return { factor, zeroRefuses: zero === 'refuse' };
}
