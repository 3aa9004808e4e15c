import {
  type ProblemCode,
  closestName,
  didYouMean,
  type DataPath,
  locate,
  nameList,
  type Problem,
} from '../base/index.js';
import { type Expression, isMap } from '../expression/index.js';
import { unusedDefaults } from './source/merge-profiles.js';
import { candidateReads, isPrepared } from './profile-reads.js';
import type { Adjustment, Entry, Profile } from './profile.js';
import { deprecatedKeys } from './schema/json-schema.js';
import { entryIds, formatDataPath, type RawMap } from './source/raw-profile.js';

/** A valid profile, as written and as resolved, and the warnings about it. */
export class WarningContext {
  readonly warnings: Problem[] = [];

  constructor(
    readonly root: RawMap,
    readonly profile: Profile,
    /** The data, with the profile's `defaults` filled into its entries. */
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

/** Warns about keys that are allowed but have no effect in this profile. */
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
          const message = `${use.name} ignores its param ${param}`;
          context.warn('ASZ702', message, [...path, 'params', param], 'remove it', 'key');
        }
      }
      if (entry.timeout !== undefined && !isPrepared(use)) {
        const hint = 'remove it: a timeout stops prepare only, not the scoring of single candidates';
        const message = `${id} has no prepare, so its timeout has no effect`;
        context.warn('ASZ702', message, [...path, 'timeout'], hint, 'key');
      }
      if (raw['on_absent'] !== undefined && use.kind === 'expr' && use.expression.constant) {
        const message = `${id} reads nothing, so it never abstains and its on_absent has no effect`;
        context.warn('ASZ702', message, [...path, 'on_absent'], 'read a field of the candidate, or remove it', 'key');
      }
    }
  }
  for (const { entry, path } of context.entries('tier2_scorers', scorers)) {
    if (entry.outOfRange === 'warn' || entry.range !== undefined) continue;
    const what = entry.use.kind === 'expr' ? 'an expression' : entry.use.name;
    const message = `${what} declares no range, so out_of_range: ${entry.outOfRange} has no effect`;
    const hint = entry.use.kind === 'expr' ? 'declare it: range: [0, 1]' : 'remove it';
    context.warn('ASZ702', message, [...path, 'out_of_range'], hint, 'key');
  }
  for (const { entry, path } of context.entries('tier2_scorers', scorers)) {
    if (entry.reason === undefined || entry.onAbsent === 'refuse') continue;
    const message = `${entry.id} never refuses a candidate, so its reason has no effect`;
    context.warn('ASZ702', message, [...path, 'reason'], 'a scorer refuses only with on_absent: refuse', 'key');
  }
  for (const { entry, raw, path } of context.entries('adjustments', adjustments)) {
    warnIneffectiveRule(context, entry, path);
    const { id, multiply, refuse } = entry;
    const refuses = refuse ?? (typeof multiply === 'object' && 'table' in multiply && multiply.zero === 'refuse');
    for (const key of refuse ? [] : refuses ? ['on_absent'] : ['reason', 'on_absent']) {
      if (raw[key] === undefined) continue;
      const message = `the rule ${id} ${refuses ? 'has no refuse: true' : 'never refuses a candidate'}, so its ${key} has no effect`;
      const hint = key === 'reason' ? 'a rule refuses with refuse: true, or a table and zero: refuse' : 'remove it';
      context.warn('ASZ702', message, [...path, key], hint, 'key');
    }
  }
  warnIneffectiveSelect(context);
  warnUnusedNames(context);
  warnUnusedFields(context);
  for (const name of unusedDefaults(context.root, context.filled)) {
    const hint = 'remove it, or check its value: an entry uses a default only if the value is valid for its kind';
    const message = `no entry uses the default ${name}, so it has no effect`;
    context.warn('ASZ702', message, ['defaults', name], hint, 'key');
  }
}

/** Warns about named expressions and statistics that no expression reads. */
function warnUnusedNames(context: WarningContext): void {
  const { root, profile } = context;
  for (const { name, isRead } of profile.lets) {
    if (!isRead) context.warn('ASZ702', `no expression reads ${name}`, ['let', name], 'remove it', 'key');
  }
  for (const name of Object.keys(isMap(root['stats']) ? root['stats'] : {})) {
    if (profile.stats.some((one) => one.name === name)) continue;
    context.warn('ASZ702', `no expression reads stats.${name}`, ['stats', name], 'remove it', 'key');
  }
}

/** Warns about renamed fields that neither an expression nor a unit can read. */
function warnUnusedFields(context: WarningContext): void {
  const read = candidateReads(context.profile).flatMap(({ field }) => field ?? []);
  for (const name of context.profile.fields?.unused ?? []) {
    const hint = didYouMean(
      name,
      [...read, ...read.map((field) => field.split(/[.[]/, 1)[0]!)],
      `it reads ${nameList([...new Set(read)], 'no fields')}`,
    );
    const message = `nothing in this profile reads ${name}, so renaming it has no effect`;
    context.warn('ASZ702', message, ['fields', name], hint, 'key');
  }
}

function warnIneffectiveRule(context: WarningContext, rule: Adjustment, path: DataPath): void {
  const { set, add, multiply, min, max } = rule;
  if (typeof min === 'number' && typeof max === 'number' && min > max) {
    const message = `min ${min} is above max ${max}, so every score becomes ${max}`;
    context.warn('ASZ702', message, [...path, 'min'], 'min is the lowest possible score, max the highest', 'key');
  }
  const others = [set, min, max, rule.refuse].some((amount) => amount !== undefined);
  if (others || (add ?? 0) !== 0 || (multiply ?? 1) !== 1) return;
  const hint = 'add is added to the score, multiply is a factor; enabled: false disables the rule';
  const message = `the rule ${rule.id} changes nothing`;
  context.warn('ASZ702', message, [...path, add === undefined ? 'multiply' : 'add'], hint, 'key');
}

function warnIneffectiveSelect(context: WarningContext): void {
  const { select, candidate } = context.profile;
  const input = select.ties?.indexOf(undefined) ?? -1;
  if (select.ties && input >= 0 && input < select.ties.length - 1) {
    const message = 'positions in the input are unique, so the tie-breakers after `input` have no effect';
    context.warn('ASZ702', message, ['select', 'ties', input + 1], 'put input last');
  }
  const { pruning, rerank } = context.profile;
  if (pruning.disabledReason !== undefined && isMap(context.root['select']) && context.root['select']['prune'] === true)
    context.warn(
      'ASZ716',
      `nothing can be pruned: ${pruning.disabledReason}`,
      ['select', 'prune'],
      'remove the cause, or remove prune: true',
    );
  if (rerank && typeof select.top === 'number' && rerank.top < select.top) {
    const message = `rerank.top is ${rerank.top} and select.top is ${select.top}: at most ${rerank.top} can be selected`;
    context.warn('ASZ710', message, ['rerank', 'top'], 'rerank more candidates than select.top');
  }
  if (select.per && typeof select.top === 'number' && select.per.top >= select.top) {
    const message = `at most ${select.top} are selected in total, so per.top: ${select.per.top} has no effect`;
    context.warn('ASZ702', message, ['select', 'per', 'top'], 'set per.top below select.top');
  }
  if (select.diversify && select.top === undefined) {
    const { name } = select.diversify.use;
    const message = `every candidate is selected, so ${name} changes only their order`;
    context.warn(
      'ASZ765',
      message,
      ['select', 'diversify'],
      'add select.top: diversify then chooses which candidates are in it',
    );
  }
  warnIneffectiveContracts(context);
  if (select.top === 0 && candidate.pinned === undefined)
    context.warn('ASZ709', 'top: 0 selects nothing', ['select', 'top'], 'remove it to select all');
}

/** Warns about keys of `select.pack` that other keys of the selection cancel. */
function warnIneffectiveContracts(context: WarningContext): void {
  const { pack, place, top, minScore, per, diversify } = context.profile.select;
  if (!pack) return;
  const path: DataPath = ['select', 'pack'];
  if (pack.order !== undefined && place) {
    const message = `select.place orders the packed candidates, so order has no effect`;
    context.warn('ASZ702', message, [...path, 'order'], 'remove one of the two', 'key');
  }
  const key = pack.keepTogether ? 'keep_together' : pack.requires ? 'requires' : undefined;
  const cuts = Object.entries({ top, min_score: minScore, per, diversify }).find(([, value]) => value !== undefined);
  if (key && cuts) {
    const message = `select.${cuts[0]} removes single candidates before packing; the candidates that belong to them are then not packed`;
    context.warn(
      'ASZ702',
      message,
      ['select', cuts[0]],
      `remove select.${cuts[0]}: the budget limits the selection`,
      'key',
    );
  }
  for (const [name, expression] of Object.entries({
    keep_together: pack.keepTogether,
    requires: pack.requires,
    variants: pack.variants,
  })) {
    if (!expression?.constant) continue;
    const message = `${name} is the same for every candidate`;
    context.warn('ASZ702', message, [...path, name], 'read a field of the candidate: candidate.group');
  }
}

/** Warns about phases that are never reached, and about keys that are never looked up. */
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

/** Warns about phases that follow an endless phase, and about phases with no turns. */
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
    // If an earlier phase has a condition, this phase is reached when that condition is false.
    if (turns !== 0 || phases.slice(0, index).some(({ when }) => when)) continue;
    const hint = 'n_turns is the number of turns that the phase lasts';
    context.warn('ASZ706', `the phase ${name} is never reached: it lasts 0 turns`, ['phases', name, 'n_turns'], hint);
  }
}

/** Warns about a key that is looked up by phase if no phase has that name. */
function warnUnknownPhase(context: WarningContext, by: Expression, key: string, path: DataPath): void {
  const names = context.profile.phases.map(({ name }) => name);
  if (by.source.trim() !== 'signals.phase' || names.length === 0 || names.includes(key)) return;
  const hint = didYouMean(key, names, `phases: ${nameList(names)}`);
  context.warn('ASZ706', `${key} is never used: no phase has this name`, path, hint, 'key');
}

/**
 * Warns about a key that is looked up by strategy if no strategy has that id. Without `strategies`, the caller's
 * candidates may have any.
 */
function warnUnknownStrategy(context: WarningContext, by: Expression, key: string, path: DataPath): void {
  const names = entryIds(context.root, 'strategies');
  if (by.source.trim() !== 'candidate.strategy.id' || names.length === 0 || names.includes(key)) return;
  const hint = didYouMean(key, names, `strategies: ${nameList(names)}`);
  context.warn('ASZ706', `${key} is never used: no strategy has this id`, path, hint, 'key');
}

/** Warns about keys of a table that has more or fewer levels than `by`. */
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
      const hint = 'write one expression in by for each level of the table';
      const message = `the map under ${key} is deeper than by: its factors are never used`;
      context.warn('ASZ706', message, at, hint, 'key');
    } else if (!deep && rest.length > 0) {
      const hint = `write a map of factors by ${rest.map(({ source }) => source).join(', ')} there, or shorten by`;
      const message = `the table is less deep at ${key} than by: the number is never used`;
      context.warn('ASZ706', message, at, hint, 'key');
    }
  }
}

/** Warns about a fallback that is spelt almost like the id of a strategy. */
export function warnAboutMisspeltFallbacks(context: WarningContext): void {
  const { strategies, fallback } = context.profile;
  const names = strategies.map(({ id }) => id);
  for (const [index, { use }] of fallback.entries()) {
    const near = names.includes(use) ? undefined : closestName(use, names);
    if (near === undefined) continue;
    const hint = `did you mean the strategy ${near}?`;
    context.warn('ASZ708', `no strategy has the id ${use}, so it names a candidate`, ['fallback', index, 'use'], hint);
  }
}
