import { type DataPath, didYouMean, nameList } from '../../diagnostics/index.js';
import { isMap } from '../../expression/index.js';
import { candidateReads } from '../candidate-reads.js';
import { unusedDefaults } from '../merge/fill-defaults.js';
import type { Entry } from '../entries.js';
import type { Adjustment } from '../profile.js';
import { isPrepared } from '../profile-queries.js';
import { deprecatedKeys } from '../schema/schema-walk.js';
import type { WarningContext } from './warning-context.js';

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
