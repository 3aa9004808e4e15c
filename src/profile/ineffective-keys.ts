import {
  closestName,
  type DataPath,
  didYouMean,
  locate,
  nameList,
  type Problem,
  type ProblemCode,
} from '../diagnostics/index.js';
import { type Expression, isMap } from '../expression/index.js';
import { unusedDefaults } from './source/merge-profiles.js';
import { candidateReads, isPrepared } from './profile-reads.js';
import type { Adjustment, Entry, Profile } from './profile.js';
import { deprecatedKeys } from './schema/json-schema.js';
import { entryIds, formatDataPath, type RawMap } from './source/raw-profile.js';

/** A valid profile that is checked for probable mistakes: as it was written and as it was resolved, and the warnings. */
export class WarningContext {
  readonly warnings: Problem[] = [];

  constructor(
    readonly root: RawMap,
    readonly profile: Profile,
    /** The data with the profile's `defaults` in its entries. */
    readonly filled: RawMap,
  ) {}

  warn(code: ProblemCode, message: string, path: DataPath, hint: string, at: 'key' | 'value' = 'value'): void {
    this.warnings.push({ code, message, path: formatDataPath(path), place: locate(this.root, path, at), hint });
  }

  /** The enabled entries of a list, each with its raw data and path. */
  *entries<E extends { readonly id: string }>(
    key: string,
    entries: readonly E[],
  ): Generator<{ readonly entry: E; readonly raw: RawMap; readonly path: DataPath }, void> {
    const byId = new Map(entries.map((entry) => [entry.id, entry]));
    const list = this.root[key];
    for (const [index, raw] of Array.isArray(list) ? list.entries() : []) {
      const entry = isMap(raw) && raw['enabled'] !== false ? byId.get(String(raw['id'])) : undefined;
      if (entry && isMap(raw)) yield { entry, raw, path: [key, index] };
    }
  }
}

/** Warns of keys that are allowed and have no effect here. */
export function warnAboutIneffectiveKeys(context: WarningContext): void {
  const { vetoes, measures, scorers, adjustments } = context.profile;
  const lists: readonly (readonly [key: string, entries: readonly Entry[]])[] = [
    ['tier1_scorers', vetoes],
    ['measures', measures],
    ['tier2_scorers', scorers],
  ];
  for (const [key, entries] of lists) {
    for (const { entry, raw, path } of context.entries(key, entries)) {
      const { id, use } = entry;
      if (use.kind === 'class' && isMap(raw['params'])) {
        for (const param of deprecatedKeys(use.unit.meta.params, raw['params'])) {
          const message = `${use.name} does nothing with its param ${param}`;
          context.warn('ASZ702', message, [...path, 'params', param], 'remove it', 'key');
        }
      }
      if (entry.timeout !== undefined && !isPrepared(use)) {
        const hint = 'remove it: a time-out stops preparing, and what runs for each candidate cannot be stopped';
        const message = `${id} has nothing to prepare, so that its timeout has no effect`;
        context.warn('ASZ702', message, [...path, 'timeout'], hint, 'key');
      }
      if (raw['on_absent'] !== undefined && use.kind === 'expr' && use.expression.constant) {
        const message = `${id} reads nothing, so that it never abstains and its on_absent has no effect`;
        context.warn('ASZ702', message, [...path, 'on_absent'], 'read a field of the candidate, or remove it', 'key');
      }
    }
  }
  for (const { entry, path } of context.entries('tier2_scorers', scorers)) {
    if (entry.outOfRange === 'warn' || entry.range !== undefined) continue;
    const what = entry.use.kind === 'expr' ? 'an expression' : entry.use.name;
    const message = `${what} declares no range, so that out_of_range: ${entry.outOfRange} has no effect`;
    const hint = entry.use.kind === 'expr' ? 'bound it in the expression: clamp(…, 0, 1)' : 'remove it';
    context.warn('ASZ702', message, [...path, 'out_of_range'], hint, 'key');
  }
  for (const { entry, path } of context.entries('tier2_scorers', scorers)) {
    if (entry.reason === undefined || entry.onAbsent === 'refuse') continue;
    const message = `${entry.id} refuses nothing, so that its reason is never said`;
    context.warn('ASZ702', message, [...path, 'reason'], 'a scorer refuses by on_absent: refuse', 'key');
  }
  for (const { entry, path } of context.entries('adjustments', adjustments)) {
    warnIneffectiveRule(context, entry, path);
    const { id, multiply, reason } = entry;
    const refuses = typeof multiply === 'object' && 'table' in multiply && multiply.zero === 'refuse';
    if (reason === undefined || refuses) continue;
    const message = `the rule ${id} refuses nothing, so that its reason is never said`;
    context.warn('ASZ702', message, [...path, 'reason'], 'a rule refuses by a table with zero: refuse', 'key');
  }
  warnIneffectiveSelect(context);
  warnUnusedFields(context);
  for (const name of unusedDefaults(context.root, context.filled)) {
    const hint = 'remove it, or look whether another value was meant: each kind of entry takes what it can be';
    const message = `no entry takes the default ${name}, so that it has no effect`;
    context.warn('ASZ702', message, ['defaults', name], hint, 'key');
  }
}

/** Names of fields that nothing in the profile reads, and no unit may read. */
function warnUnusedFields(context: WarningContext): void {
  const read = candidateReads(context.profile).flatMap(({ field }) => field ?? []);
  for (const name of context.profile.fields?.unused ?? []) {
    const hint = didYouMean(
      name,
      [...read, ...read.map((field) => field.split(/[.[]/, 1)[0]!)],
      `it reads ${nameList([...new Set(read)], 'no fields')}`,
    );
    const message = `nothing in this profile reads ${name}, so that its other name has no effect`;
    context.warn('ASZ702', message, ['fields', name], hint, 'key');
  }
}

function warnIneffectiveRule(context: WarningContext, rule: Adjustment, path: DataPath): void {
  const { set, add, multiply, min, max } = rule;
  if (typeof min === 'number' && typeof max === 'number' && min > max) {
    const message = `min ${min} is above max ${max}, so that the score becomes ${max} whatever it was`;
    context.warn('ASZ702', message, [...path, 'min'], 'min is the least that a score can be, max the most', 'key');
  }
  const others = [set, min, max].some((amount) => amount !== undefined);
  if (others || (add ?? 0) !== 0 || (multiply ?? 1) !== 1) return;
  const hint = 'add adds to the score, multiply is a factor; enabled: false takes the rule out';
  const message = `the rule ${rule.id} changes nothing`;
  context.warn('ASZ702', message, [...path, add === undefined ? 'multiply' : 'add'], hint, 'key');
}

function warnIneffectiveSelect(context: WarningContext): void {
  const { select, candidate } = context.profile;
  const input = select.ties?.indexOf(undefined) ?? -1;
  if (select.ties && input >= 0 && input < select.ties.length - 1) {
    const message = 'no two candidates have one position in the input, so that what follows `input` has no effect';
    context.warn('ASZ702', message, ['select', 'ties', input + 1], 'put input last');
  }
  const { pruning, rerank } = context.profile;
  if (pruning.disabledReason !== undefined && isMap(context.root['select']) && context.root['select']['prune'] === true)
    context.warn(
      'ASZ716',
      `nothing can be pruned: ${pruning.disabledReason}`,
      ['select', 'prune'],
      'remove what stands in its way, or prune',
    );
  if (rerank && typeof select.top === 'number' && rerank.top < select.top) {
    const message = `rerank asks about ${rerank.top}, and select.top is ${select.top}: no more than ${rerank.top} can be selected`;
    context.warn('ASZ710', message, ['rerank', 'top'], 'ask about more than are selected');
  }
  if (select.per && typeof select.top === 'number' && select.per.top >= select.top) {
    const message = `no more than ${select.top} are selected, so that per.top: ${select.per.top} has no effect`;
    context.warn('ASZ702', message, ['select', 'per', 'top'], 'allow fewer of a group than are selected');
  }
  if (select.diversify && select.top === undefined) {
    const { name } = select.diversify.use;
    const message = `nothing is cut, so that ${name} changes only the order of what is selected`;
    context.warn(
      'ASZ765',
      message,
      ['select', 'diversify'],
      'give a top: diversify chooses which candidates are in it',
    );
  }
  if (select.top === 0 && candidate.pinned === undefined)
    context.warn('ASZ709', 'top: 0 selects nothing', ['select', 'top'], 'leave it out to select all');
}

/** Warns of phases that are never reached, and keys that nothing looks up. */
export function warnAboutUnreachableKeys(context: WarningContext): void {
  warnUnreachablePhases(context);
  const { weights, adjustments } = context.profile;
  if (weights) {
    if (weights.cases.size === 0)
      context.warn(
        'ASZ702',
        'weights without a case have no effect',
        ['weights', 'cases'],
        'cases: { name: { scorer: 2 } }',
        'key',
      );
    for (const name of weights.cases.keys()) warnUnknownPhase(context, weights.by, name, ['weights', 'cases', name]);
  }
  const generated = context.root['phase_profiles'] === undefined ? [] : adjustments.filter(({ id }) => id === 'phase');
  for (const { multiply } of generated) {
    if (typeof multiply === 'object' && 'table' in multiply)
      warnTableKeys(context, multiply.table, multiply.by, ['phase_profiles']);
  }
  for (const { entry, path } of context.entries('adjustments', adjustments)) {
    const { multiply } = entry;
    if (typeof multiply === 'object' && 'table' in multiply)
      warnTableKeys(context, multiply.table, multiply.by, [...path, 'multiply', 'table']);
  }
}

/** Warns of phases after one without an end, and of phases without a turn. */
function warnUnreachablePhases(context: WarningContext): void {
  const { phases } = context.profile;
  const last = phases.findIndex(({ turns, when }) => turns === undefined && when === undefined);
  const [holds, late] = [phases[last], phases[last + 1]];
  if (holds && late) {
    const hint = `give ${holds.name} an n_turns or a when, or put it last`;
    const message = `the phase ${late.name} is never reached: ${holds.name} never ends`;
    context.warn('ASZ706', message, ['phases', late.name], hint, 'key');
  }
  for (const [index, { name, turns }] of phases.slice(0, -1).entries()) {
    // After a phase with a condition it is reached when that one is not true.
    if (turns !== 0 || phases.slice(0, index).some(({ when }) => when)) continue;
    const hint = 'n_turns is how many turns it lasts';
    context.warn('ASZ706', `the phase ${name} is never reached: it lasts no turn`, ['phases', name, 'n_turns'], hint);
  }
}

/** Warns of a key that is looked up by phase where there is no such phase. */
function warnUnknownPhase(context: WarningContext, by: Expression, key: string, path: DataPath): void {
  const names = context.profile.phases.map(({ name }) => name);
  if (by.source.trim() !== 'signals.phase' || names.length === 0 || names.includes(key)) return;
  const hint = didYouMean(key, names, `phases: ${nameList(names)}`);
  context.warn('ASZ706', `${key} is never reached: there is no such phase`, path, hint, 'key');
}

/** Warns of a key that is looked up by strategy where there is none; a caller's candidates may have any strategy. */
function warnUnknownStrategy(context: WarningContext, by: Expression, key: string, path: DataPath): void {
  const names = entryIds(context.root, 'strategies');
  if (by.source.trim() !== 'candidate.strategy.id' || names.length === 0 || names.includes(key)) return;
  const hint = didYouMean(key, names, `strategies: ${nameList(names)}`);
  context.warn('ASZ706', `${key} is never reached: there is no such strategy`, path, hint, 'key');
}

/** Warns of keys of a table that has more or fewer levels than `by`. */
function warnTableKeys(
  context: WarningContext,
  table: ReadonlyMap<string, unknown>,
  by: readonly Expression[],
  path: DataPath,
): void {
  const [first, ...rest] = by;
  for (const [key, value] of table) {
    const at = [...path, key];
    if (first) warnUnknownPhase(context, first, key, at);
    if (first) warnUnknownStrategy(context, first, key, at);
    const deep = value instanceof Map;
    if (deep && rest.length > 0) warnTableKeys(context, value, rest, at);
    else if (deep && first) {
      const hint = 'its by has an expression for each level of the table';
      const message = `${key} has a level that no expression of by looks up: its factors are never used`;
      context.warn('ASZ706', message, at, hint, 'key');
    } else if (!deep && rest.length > 0) {
      const hint = `write a map of factors by ${rest.map(({ source }) => source).join(', ')} there, or shorten by`;
      const message = `${key} ends in a number before the last expression of by: it is never used`;
      context.warn('ASZ706', message, at, hint, 'key');
    }
  }
}

/** Warns of a fallback that is no strategy, and spelt almost like one. */
export function warnAboutMisspeltFallbacks(context: WarningContext): void {
  const { strategies, fallback } = context.profile;
  const names = strategies.map(({ id }) => id);
  for (const [index, { use }] of fallback.entries()) {
    const near = names.includes(use) ? undefined : closestName(use, names);
    if (near === undefined) continue;
    const hint = `did you mean the strategy ${near}?`;
    context.warn('ASZ708', `${use} is no strategy, and so the id of a candidate`, ['fallback', index, 'use'], hint);
  }
}
