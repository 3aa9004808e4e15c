import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isMap, isNode, isSeq, parseDocument } from 'yaml';
import { createPipeline } from 'assize';
import { packageRoot } from '../../../../../src/base/package-root.js';
import { films } from '../../../../../test/demo/films.js';
import { newFolder } from '../../../../../test/scale/threads/folder.js';
import type { StudioData } from '../../src/data/studio-data.js';
import { type FileEdit, isJsonMap, type JsonData, type Step, valueAt } from '../../src/save/data-edit.js';
import { changedLines } from '../../src/save/changed-lines.js';
import { arithmeticText, SIGNS } from '../../src/page/add/arithmetic.js';
import { groupText } from '../../src/page/add/condition-groups.js';
import { type Condition, firstValues, OPERATORS } from '../../src/page/add/conditions.js';
import { criterionKeys, proposedCriterion, SHAPES } from '../../src/page/add/criterion-shapes.js';
import { ENTRY_KINDS, type EntryKind, type Method, newEntryEdit } from '../../src/page/add/entry-kinds.js';
import { type FieldFacts, fieldFacts } from '../../src/page/add/field-facts.js';
import { fieldText, pathText } from '../../src/page/add/field-text.js';
import { NEW_PARTS } from '../../src/page/add/new-parts.js';
import { budgetAmounts } from '../../src/page/add/selection-words.js';
import { StudioModel } from '../../src/page/model/studio-model.js';
import { casesOf, editsOf, entriesOf, LISTS, type Settings, withToggle } from '../../src/page/settings/settings.js';
import {
  type EntryList,
  freeId,
  isOwnAt,
  NO_LIMIT,
  selectEdit,
  selectionIn,
  withFileEdits,
  withoutEntry,
  withoutPathEdits,
} from '../../src/page/settings/structure.js';
import { StudioSession } from '../../src/server/studio-session.js';
import { presetCases } from './preset-cases.js';
import { products } from './shop.js';

const NOW = Date.parse('2026-06-01');
const RUNS = 10;
const folder = newFolder();

const KINDS = [
  ...(['criterion', 'removal', 'boost', 'remove', 'switch', 'weight', 'limit', 'top'] as const),
  ...(['budget', 'amount', 'cases', 'case weight', 'let', 'combine', 'list', 'neutral', 'drop'] as const),
  ...(['entry', 'part'] as const),
];

/** A random action: its kind, and numbers that choose its parts. */
interface Action {
  readonly kind: (typeof KINDS)[number];
  readonly a: number;
  readonly b: number;
}

const action: fc.Arbitrary<Action> = fc.record({
  kind: fc.constantFrom(...KINDS),
  a: fc.nat(99),
  b: fc.nat(99),
});
const actions = fc.array(action, { minLength: 1, maxLength: 5 });

const pick = <T>(some: readonly T[], k: number): T | undefined => some[k % some.length];

/** The settings after an action, as the dialogs of the page make them. */
function after(model: StudioModel, settings: Settings, { kind, a, b }: Action, k: number): Settings {
  const { data, saved } = model;
  const fields = fieldFacts(data.candidates);
  const field = pick(fields, a);
  if (!field) return settings;
  const id = freeId(data, `new ${k} ${field.name}`);
  const add = (list: EntryList, keys: FileEdit & { value: object }) =>
    withFileEdits(settings, [{ ...keys, path: [list, { id }] }]);
  const all = LISTS.flatMap((list) => entriesOf(saved.profile, list).map((entry) => [list, entry] as const));
  const entry = pick(all, b);
  const set = (...edits: readonly FileEdit[]) => withFileEdits(settings, edits);
  const { document } = data.editing!;
  switch (kind) {
    case 'budget': {
      const cost = pick(
        fields.filter(({ type }) => type === 'number'),
        a,
      );
      return cost && selectionIn(data)['pack'] === undefined
        ? set({
            path: ['select', 'pack'],
            value: { cost: `${fieldText(cost.keys)} + 1000000.0`, budget: 1e6 * (5 + b) },
          })
        : settings;
    }
    case 'amount': {
      const amount = budgetAmounts(selectionIn(saved)['pack'])[0];
      return amount ? set({ path: amount.path, value: amount.amount * (0.5 + a / 100) }) : settings;
    }
    case 'cases': {
      const scorer = pick(model.scorers, b);
      const text = fields.find(({ type }) => type === 'text');
      if (!scorer || !text || !model.ranker.readsWeights) return settings;
      const group = pick(text.frequent, a)?.value ?? 'x';
      if (document['weights'] !== undefined) {
        return set({ path: ['weights', 'cases', group], value: { [scorer.id]: b / 10 } });
      }
      return set({
        path: ['weights'],
        value: { by: fieldText(text.keys), cases: { [group]: { [scorer.id]: b / 10 } } },
      });
    }
    case 'case weight': {
      const name = pick(Object.keys(casesOf(saved.profile)), a);
      const scorer = pick(model.scorers, b);
      return name !== undefined && scorer
        ? set({ path: ['weights', 'cases', name, scorer.id], value: a / 10 })
        : settings;
    }
    case 'let': {
      const names = isJsonMap(document['let']) ? Object.keys(document['let']) : [];
      const value = arithmeticText({ field, sign: pick(SIGNS, b)!, number: 1 + a });
      const name = b % 2 === 0 ? (pick(names, a) ?? id) : id;
      return value === undefined || field.type !== 'number' ? settings : set({ path: ['let', name], value });
    }
    case 'combine':
      return set({ path: ['combine'], value: pick(['weighted_sum', 'geometric_mean', 'weighted_mean'], a)! });
    case 'list': {
      const found = lists(data);
      const one = pick(found, a);
      return one ? set({ path: one.path, value: changedList(one.value, b) }) : settings;
    }
    case 'neutral':
      return data.editing?.origins['select']?.['per'] === undefined
        ? settings
        : set({ path: ['select', 'per', 'top'], value: NO_LIMIT });
    case 'drop': {
      const path = pick([['combine'], ['weights'], ['select', 'pack'], ['select', 'per'], ['select', 'diversify']], a)!;
      const isThere = valueAt(saved.editing?.document, path) !== undefined;
      return isThere && isOwnAt(data, path) ? withoutPathEdits({ saved, settled: settings }, path) : settings;
    }
    case 'entry': {
      const added: EntryKind = pick(Object.values(ENTRY_KINDS), a)!;
      if (added.path.length > 1 && valueAt(document, added.path) !== undefined) return settings;
      return set(newEntryEdit(added, id, b % 2 === 0 ? `New ${k}` : '', methodOf(added, field, b)));
    }
    case 'part': {
      const part = pick(PARTS, b)!;
      if (valueAt(document, part.path) !== undefined) return settings;
      const text = fieldText(field.keys);
      const { form } = part;
      const value = typeof form === 'object' ? form.first(model) : form === 'fields' ? [text] : text;
      return set({ path: part.path, value });
    }
    case 'criterion': {
      const shape = pick(SHAPES[field.type], b)!;
      const keys = criterionKeys({ ...proposedCriterion(field, NOW), shape });
      return keys ? add('tier2_scorers', { path: [], value: { id, ...keys, weight: 0.5 } }) : settings;
    }
    case 'removal': {
      const expr = expressionOf(field, b);
      return expr === undefined
        ? settings
        : add('tier1_scorers', { path: [], value: { id, expr, reason: `it's "${id}"` } });
    }
    case 'boost': {
      const when = expressionOf(field, b);
      return when === undefined ? settings : add('adjustments', { path: [], value: { id, when, multiply: 1.1 } });
    }
    case 'remove':
      return entry ? withoutEntry({ data, saved, settings }, entry[0], String(entry[1]['id'])) : settings;
    case 'switch':
      return entry ? withToggle(settings, entry[1]) : settings;
    case 'weight': {
      const scorer = pick(
        model.scorers.filter(({ weight }) => typeof weight === 'number'),
        a,
      );
      return scorer && model.ranker.readsWeights
        ? { ...settings, weights: { ...settings.weights, [scorer.id]: b / 10 } }
        : settings;
    }
    case 'limit':
      return withFileEdits(settings, [selectEdit('per', { by: fieldText(field.keys), top: 1 + (b % 3) })]);
    default:
      return { ...settings, top: 1 + b };
  }
}

/** A method of a new entry, as its dialog makes it. */
function methodOf({ of, without }: EntryKind, field: FieldFacts, k: number): Method {
  if (without === 'nothing') return 'nothing';
  if (without === 'expression') return { expr: field.type === 'number' ? `${fieldText(field.keys)} * ${1 + k}` : '1' };
  if (of === 'signal') return { class: 'ExpressionSignal', params: { value: `${k} + 1` } };
  if (of === 'report') return { class: 'Alternatives', params: k % 2 === 0 ? {} : { count: 1 + k } };
  if (of === 'selector') return { class: 'SpreadSelector', params: { by: fieldText(field.keys) } };
  return of === 'veto'
    ? { class: 'ThresholdVeto', params: { value: pathText(field.keys), max: 1e12 } }
    : { class: 'ScaledScorer', params: { scorer: { expr: String(k) } } };
}

/** The parts whose form has one value. With `rerank`, the page scores more candidates than the command line. */
const PARTS = NEW_PARTS.flatMap(({ path, form }) =>
  path[0] !== 'rerank' && (form === 'field' || form === 'fields' || (typeof form === 'object' && 'first' in form))
    ? [{ path, form }]
    : [],
);

/** One condition, or two of which any must hold. */
function expressionOf(field: FieldFacts, k: number): string | undefined {
  const conditionOf = (n: number): Condition => {
    const operator = pick(OPERATORS[field.type], n)!;
    return { field, operator, values: firstValues(field, operator) };
  };
  const parts = k % 3 === 0 ? [conditionOf(k), conditionOf(k + 1)] : [conditionOf(k)];
  return groupText({ join: k % 2 === 0 ? 'any' : 'all', parts });
}

/** The lists among the params that the file of a profile sets. */
function lists({ editing }: StudioData) {
  return LISTS.flatMap((list) =>
    Object.keys(editing?.origins[list] ?? {}).flatMap((id) =>
      (editing?.params[id] ?? []).flatMap(({ path, value, readOnly = false, isUnset = false }) =>
        Array.isArray(value) && !readOnly && !isUnset
          ? [{ path: [list, { id }, 'params', ...path], value: value as readonly JsonData[] }]
          : [],
      ),
    ),
  );
}

/** A list in which an item is added, removed or moved. */
function changedList(values: readonly JsonData[], k: number): readonly JsonData[] {
  const at = k % Math.max(1, values.length);
  if (k % 3 === 0 || values.length < 2) return [...values, `new ${k}`];
  const rest = values.toSpliced(at, 1);
  return k % 3 === 1 ? rest : rest.toSpliced((at + 1) % values.length, 0, values[at]!);
}

/** Words of which each changed line of the old text must have one. */
const touched = (edits: readonly FileEdit[]): readonly string[] =>
  edits.flatMap((edit) =>
    'path' in edit ? edit.path.flatMap((step) => (typeof step === 'object' ? [step.id] : [String(step)])) : [],
  );

/** The lines of the entries and parts that edits remove. */
function removedLines(text: string, edits: readonly FileEdit[]): ReadonlySet<string> {
  const document = parseDocument(text);
  const rangeOf = (path: readonly Step[]): readonly [start: number, end: number] | undefined => {
    let node: unknown = document.contents;
    for (const step of path) {
      if (typeof step === 'object')
        node = isSeq(node) ? node.items.find((one) => isMap(one) && one.get('id') === step.id) : undefined;
      else node = isMap(node) || isSeq(node) ? node.get(step, true) : undefined;
    }
    return isNode(node) && node.range ? [node.range[0], node.range[1]] : undefined;
  };
  const lines = edits.flatMap((edit) => {
    const range = 'remove' in edit ? rangeOf(edit.path) : undefined;
    return range ? text.slice(text.lastIndexOf('\n', range[0]) + 1, range[1]).split('\n') : [];
  });
  return new Set(lines.map((line) => line.trim()));
}

interface Case {
  readonly name: string;
  readonly text: string;
  readonly candidates: readonly object[];
  readonly context: Readonly<Record<string, unknown>>;
}

const presets = (await presetCases()).map(({ preset, change, candidates, context }): Case => {
  const text = `# My ranking\nextends: [${preset}] # the preset\n${change}# The end\n`;
  return { name: preset, text, candidates, context };
});
const full: Case = {
  name: 'a profile with all parts',
  text: readFileSync(join(import.meta.dirname, 'every-part.yaml'), 'utf8'),
  candidates: products(60),
  context: {},
};
const commented: Case = {
  name: 'a commented profile',
  text: readFileSync(join(packageRoot(), 'config', 'demo', 'movies.yaml'), 'utf8'),
  candidates: films().slice(0, 400),
  context: {},
};

describe('random edit sessions', () => {
  test.each([...presets, commented, full])(
    'change only their lines, and the saved text ranks the same: $name',
    async (one) => {
      const { text, candidates } = one;
      const context = { ...one.context, now: NOW };
      const file = folder.write(`${one.name.replaceAll(' ', '-')}.yaml`, text);
      const session = await StudioSession.open({ profile: file, candidates, context });
      const data = await session.data();
      let ranked = 0;
      await fc.assert(
        fc.asyncProperty(actions, async (some) => {
          const model = await StudioModel.open(data, undefined, (edits) => session.draft(edits, 0));
          const settings = some.reduce((now, next, k) => after(model, now, next, k), model.settings);
          const isValid = await model.set(settings).then(
            () => true,
            () => false,
          );
          if (!isValid) return; // for example, two limits that exclude each other
          ranked += 1;
          const edits = editsOf(model.data.profile, model.settings);
          const { text: saved } = await session.text(edits);
          const [words, removed] = [touched(edits), removedLines(text, edits)];
          for (const { sign, text: line } of changedLines(text, saved)) {
            const isTouched = removed.has(line.trim()) || words.some((word) => line.includes(word));
            if (sign === '-') expect(isTouched, line).toBe(true);
          }
          const comments = text.split('\n').filter((line) => /^\s*#/.test(line) && !removed.has(line.trim()));
          for (const line of comments) expect(saved.split('\n')).toContain(line);
          const again = folder.write('saved.yaml', saved.replaceAll('name: movies', 'name: saved'));
          const ranking = await (await createPipeline<object>(again)).rank(candidates, context);
          const rows = (of: typeof ranking) => of.ranked.map(({ index, score }) => [index, score]);
          expect(rows(model.ranking)).toEqual(rows(ranking));
          const chosen = (of: typeof ranking) => of.selected.map(({ index }) => index).filter((index) => index >= 0); // a fallback does not run in a page
          expect(chosen(model.ranking)).toEqual(chosen(ranking));
        }),
        { numRuns: one === commented || one === full ? 4 * RUNS : RUNS },
      );
      expect(ranked).toBeGreaterThan(RUNS / 3);
    },
  );
});
