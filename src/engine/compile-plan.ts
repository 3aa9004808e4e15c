import type { Tracer } from '../sdk/index.js';
import type { Profile } from '../profile/index.js';
import type { Clock } from '../services/index.js';
import type { MemoryFiles } from '../services/node.js';
import { ColumnReader, ownIdOf } from './candidates.js';
import type { Plan } from './plan.js';
import { CurrentRun } from './entries.js';
import { compileRule, ruleLoops } from './stages/adjust.js';
import { compileStrategy } from './stages/generate.js';
import { compileMeasure, compileStatistic } from './stages/measure.js';
import { compileReport } from './stages/report.js';
import { compileGroupedPass } from './stages/score/grouped-pass.js';
import { compileScorers, secondPhaseOf } from './stages/score/scoring.js';
import { compileSelect } from './stages/select/compile-select.js';
import { compilePhase, compileSignal } from './stages/signals.js';
import { activeVetoes, compileVetoes } from './stages/veto.js';
import { Binder, type Instantiate, UnitCompiler } from './units/unit-compiler.js';

/** The services and settings with which a profile is compiled. */
export interface CompileOptions {
  readonly instantiate: Instantiate;
  readonly clock: Clock;
  readonly tracer: Tracer;
  readonly memoryFiles: MemoryFiles;
  /** Whether loops are generated as code. Undefined: only after the first candidates. */
  readonly codegen: boolean | undefined;
}

/** Compiles a profile once, stage by stage; the plan is run many times. */
export function compilePlan(profile: Profile, host: CompileOptions): Plan {
  const { instantiate, clock, tracer, memoryFiles, codegen } = host;
  const current = new CurrentRun();
  const binder = new Binder(current, variablesOf(profile), profile.expressionSteps);
  const units = new UnitCompiler(current, binder, instantiate, memoryFiles, (candidate) => ownIdOf(profile, candidate));

  const signals = profile.signals.map((entry) => compileSignal(entry, binder, instantiate));
  const phases = profile.phases.map((phase) => compilePhase(phase, binder));
  const strategies = profile.strategies.map((entry) => compileStrategy(entry, binder, instantiate));
  const vetoes = compileVetoes(profile, units, binder, codegen ?? true);
  const measures = profile.measures.map((entry) => compileMeasure(entry, units, binder));
  const stats = profile.stats.map((entry) => compileStatistic(entry, binder));
  const score = compileScorers(profile, current, units, binder, codegen);
  const rules = profile.adjustments.map((rule, k) => compileRule(rule, k, binder));
  const reports = profile.reports.map((entry) => compileReport(entry, binder, instantiate));

  return {
    profile,
    loaded: profile,
    current,
    clock,
    tracer,
    units,
    binder,
    signals,
    phases,
    strategies,
    vetoes,
    pinned: profile.candidate.pinned && binder.bind(profile.candidate.pinned),
    measures,
    stats,
    score,
    columnReader: new ColumnReader(profile),
    secondPhase: secondPhaseOf(profile),
    fusedPass: fusedPassOf(profile, vetoes, score),
    groupedPass: groupedPassOf(profile, vetoes, score, codegen ?? true),
    rules,
    ruleLoop: ruleLoops(rules, codegen ?? true),
    firstRuleRefuser: score.combineRefuser + 1,
    ...compileSelect(profile, binder, instantiate),
    reports,
    refusers: [...idsOf(profile.vetoes), ...idsOf(profile.scorers), 'combine', ...idsOf(rules)],
    needsSet:
      [...profile.vetoes, ...profile.measures, ...profile.stats, ...profile.scorers].some(({ scopes }) =>
        scopes.has('set'),
      ) || profile.adjustments.some(({ group }) => group),
  };
}

const idsOf = (entries: readonly { readonly id: string }[]): readonly string[] => entries.map(({ id }) => id);

/** The names that expressions of a profile may read. */
const variablesOf = ({ measures, stats, lets, scorers, context }: Profile) => ({
  measures: idsOf(measures),
  stats,
  lets,
  scorers: idsOf(scorers),
  context: context.size > 0 ? [...new Set([...context.keys(), 'now', 'turn_count'])] : undefined,
});

/** Whether vetoes stop at the first, no stage is between the tiers, and only prepared values differ by run. */
function isUniform(
  { vetoOnFirst, measures, stats, candidate, adjustments }: Profile,
  vetoes: Plan['vetoes'],
  { scorers }: Plan['score'],
): boolean {
  const isGrouped = adjustments.some(({ group }) => group);
  const isStaged = !vetoOnFirst || measures.length + stats.length > 0 || candidate.pinned !== undefined || isGrouped;
  const vetoesVary = vetoes.groups.some((group) => group.vetoes.some(({ entry, unit }) => unit.prepares || entry.when));
  return !isStaged && !vetoesVary && !scorers.some(({ entry }) => entry.when || typeof entry.weight !== 'number');
}

function fusedPassOf(profile: Profile, vetoes: Plan['vetoes'], score: Plan['score']): Plan['fusedPass'] {
  if (!isUniform(profile, vetoes, score) || score.scorers.some(({ unit }) => unit.prepares)) return undefined;
  return { vetoes: activeVetoes(vetoes, score.current.context), scoring: score.scoringOf(score.scorers, []) };
}

function groupedPassOf(
  profile: Profile,
  vetoes: Plan['vetoes'],
  score: Plan['score'],
  codegen: boolean,
): Plan['groupedPass'] {
  const prepared = score.scorers.filter(({ unit }) => unit.prepares);
  const isByGroup = prepared.length > 0 && prepared.every(({ unit }) => unit.prepareGroups);
  if (!isByGroup || !isUniform(profile, vetoes, score)) return undefined;
  return compileGroupedPass(activeVetoes(vetoes, score.current.context), codegen);
}

/** The plan for runs without a select stage, so that no limit must be computed. */
export const scoringPlan = (plan: Plan): Plan =>
  plan.computedLimits.length === 0 ? plan : { ...plan, computedLimits: [] };
