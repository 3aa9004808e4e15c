import { makeVetoLoop } from '../../matrix/veto-loop.js';
import type { PackEntry, Profile, Selection, SelectorEntry } from '../../profile/profile.js';
import type { Clock } from '../../services/clock.js';
import type { Cell } from '../../stages/plan.js';
import type { LatePlan } from '../../stages/score-late.js';
import { planVetoes } from '../../stages/veto.js';
import { emptyState } from '../state.js';
import { Binder } from './bind.js';
import { compileJudges, compileScoring, onePass } from './judges.js';
import { made } from './made.js';
import { OnceARun } from './once-a-run.js';
import type { CompiledPack, Plan, SelectKeys } from './plan.js';
import { compileRule } from './rule.js';
import { type CompiledSelector, compileSelector } from './selector.js';
import { type Instantiate, UnitCompiler } from './unit.js';

/** Compiles a profile once, stage by stage; the plan is run many times. */
export function compilePlan(profile: Profile, instantiate: Instantiate, clock: Clock, codegen = true): Plan {
  const cell: Cell = { state: emptyState() };
  const binder = binderFor(profile, cell);
  const units = new UnitCompiler(cell, binder, instantiate);
  const once = new OnceARun(binder, instantiate);
  const { select } = profile;

  const judges = compileJudges(profile, units, binder);
  const { measures, scorers } = judges;
  const vetoes = planVetoes(judges.vetoes, profile.vetoOnFirst, (count) => makeVetoLoop(count, codegen));
  const score = compileScoring(profile, judges, cell, binder, codegen);
  const entries = [...judges.vetoes, ...scorers].map(({ entry }) => entry.id);
  const rules = profile.adjustments.map((rule) => compileRule(rule, binder));

  return {
    profile,
    cell,
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
    late: lateOf(profile),
    onePass: onePass(profile, vetoes, score),
    rules,
    firstRuleJudge: score.combineJudge + 1,
    select: keysOf(select, binder),
    pack: select.pack && packOf(select.pack, binder, instantiate),
    place: select.place && selector(select.place, 'place', instantiate),
    fallback: profile.fallback.map(({ when, use }) => ({ when: binder.holds(when, use, 'fallback'), use })),
    reports: profile.reports.map((entry) => once.report(entry)),
    judges: [...entries, 'combine', ...rules.map(({ id }) => id)],
    needsSet: needsSet(profile),
  };
}

function binderFor({ measures, scorers, context }: Profile, cell: Cell): Binder {
  return new Binder(cell, {
    measures: measures.map(({ id }) => id),
    scorers: scorers.map(({ id }) => id),
    context: context.size > 0 ? [...new Set([...context.keys(), 'now', 'turn_count'])] : undefined,
  });
}

const keysOf = ({ duplicates, minScore, ties, top }: Selection, binder: Binder): SelectKeys => ({
  duplicates: duplicates && binder.bind(duplicates),
  minScore,
  ties: ties?.map((tie) => tie && binder.bind(tie)),
  top,
});

const packOf = (entry: PackEntry, binder: Binder, instantiate: Instantiate): CompiledPack => ({
  entry,
  cost: binder.bind(entry.cost),
  readsMeasures: entry.cost.reads.some((read) => read.startsWith('measures')),
  selector: selector(entry, 'pack', instantiate),
});

const selector = (
  { use, path, place }: SelectorEntry,
  stage: 'pack' | 'place',
  instantiate: Instantiate,
): CompiledSelector => made({ id: stage, path, place }, () => compileSelector(use, { place, stage }, instantiate));

/** A rerank, or who is pruned. */
function lateOf({ rerank, pruning, select }: Profile): LatePlan | undefined {
  if (rerank) return { how: 'rerank', ...rerank };
  const { top, minScore, ties } = select;
  if (top === undefined || pruning.scorers.length === 0) return undefined;
  return { how: 'prune', ask: pruning.scorers.map(({ id }) => id), top, minScore, byPosition: ties === undefined };
}

/** Whether one of a profile's entries wants to see the whole set, so that one candidate alone cannot be scored. */
const needsSet = ({ vetoes, measures, scorers }: Profile): boolean =>
  [...vetoes, ...measures, ...scorers].some((entry) => entry.sights.has('set'));
