import type { PackEntry, Profile, SelectorEntry, SelectSpec } from '../../profile/profile.js';
import type { Clock } from '../../services/clock.js';
import { makeVetoLoop } from '../kernel/veto-loop.js';
import type { CompiledPack, Plan, SelectKeys } from '../plan.js';
import type { CurrentRun } from '../run-context.js';
import { compileRule } from '../stages/adjust/compile-rule.js';
import type { SecondPhasePlan } from '../stages/score/second-phase/second-phase.js';
import { type CompiledSelector, compileSelector } from '../stages/select/compile-selector.js';
import { planVetoes } from '../stages/veto/veto.js';
import { emptyContext } from '../start-run.js';
import { Binder } from './binder.js';
import { compileFusedPass, compileScoring, compileTiers } from './compile-tiers.js';
import { RunUnitCompiler } from './run-units.js';
import { type Instantiate, UnitCompiler } from './unit-compiler.js';
import { reportUnitProblem } from './unit-problems.js';

/** Compiles a profile once, stage by stage; the plan is run many times. */
export function compileProfile(profile: Profile, instantiate: Instantiate, clock: Clock, codegen = true): Plan {
  const current: CurrentRun = { context: emptyContext() };
  const binder = createBinder(profile, current);
  const units = new UnitCompiler(current, binder, instantiate);
  const once = new RunUnitCompiler(binder, instantiate);
  const { select } = profile;

  const judges = compileTiers(profile, units, binder);
  const { measures, scorers } = judges;
  const vetoes = planVetoes(judges.vetoes, profile.vetoOnFirst, (count) => makeVetoLoop(count, codegen));
  const score = compileScoring(profile, judges, current, binder, codegen);
  const entries = [...judges.vetoes, ...scorers].map(({ entry }) => entry.id);
  const rules = profile.adjustments.map((rule) => compileRule(rule, binder));

  return {
    profile,
    current,
    clock,
    units,
    binder,
    signals: profile.signals.map((entry) => once.signal(entry)),
    phases: profile.phases.map((entry) => once.phase(entry)),
    strategies: profile.strategies.map((entry) => once.strategy(entry)),
    vetoes,
    pinned: profile.candidate.pinned && binder.bind(profile.candidate.pinned),
    measures,
    score,
    secondPhase: secondPhaseOf(profile),
    fusedPass: compileFusedPass(profile, vetoes, score),
    rules,
    firstRuleRefuser: score.combineRefuser + 1,
    select: compileSelectKeys(select, binder),
    pack: select.pack && compilePack(select.pack, binder, instantiate),
    place: select.place && compileStageSelector(select.place, 'place', instantiate),
    fallback: profile.fallback.map(({ when, use }) => ({ when: binder.condition(when, use, 'fallback'), use })),
    reports: profile.reports.map((entry) => once.report(entry)),
    refusers: [...entries, 'combine', ...rules.map(({ id }) => id)],
    needsSet: needsSet(profile),
  };
}

function createBinder({ measures, scorers, context }: Profile, cell: CurrentRun): Binder {
  return new Binder(cell, {
    measures: measures.map(({ id }) => id),
    scorers: scorers.map(({ id }) => id),
    context: context.size > 0 ? [...new Set([...context.keys(), 'now', 'turn_count'])] : undefined,
  });
}

const compileSelectKeys = ({ duplicates, minScore, ties, top }: SelectSpec, binder: Binder): SelectKeys => ({
  duplicates: duplicates && binder.bind(duplicates),
  minScore,
  ties: ties?.map((tie) => tie && binder.bind(tie)),
  top,
});

const compilePack = (entry: PackEntry, binder: Binder, instantiate: Instantiate): CompiledPack => ({
  entry,
  cost: binder.bind(entry.cost),
  readsMeasures: entry.cost.reads.some((read) => read.startsWith('measures')),
  selector: compileStageSelector(entry, 'pack', instantiate),
});

const compileStageSelector = (
  { use, path, place }: SelectorEntry,
  stage: 'pack' | 'place',
  instantiate: Instantiate,
): CompiledSelector =>
  reportUnitProblem({ id: stage, path, place }, () => compileSelector(use, { place, stage }, instantiate));

/** A rerank, or who is pruned. */
function secondPhaseOf({ rerank, pruning, select }: Profile): SecondPhasePlan | undefined {
  if (rerank) return { how: 'rerank', ...rerank };
  const { top, minScore, ties } = select;
  if (top === undefined || pruning.scorers.length === 0) return undefined;
  return { how: 'prune', ask: pruning.scorers.map(({ id }) => id), top, minScore, byPosition: ties === undefined };
}

/** Whether one of a profile's entries wants to see the whole set, so that one candidate alone cannot be scored. */
const needsSet = ({ vetoes, measures, scorers }: Profile): boolean =>
  [...vetoes, ...measures, ...scorers].some((entry) => entry.scopes.has('set'));
