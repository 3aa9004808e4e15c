import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isMap, isSeq, parseDocument } from 'yaml';
import { createPipeline } from 'assize';
import { packageRoot } from '../../../../../src/base/package-root.js';
import { films } from '../../../../../test/demo/films.js';
import { newFolder } from '../../../../../test/scale/threads/folder.js';
import type { FileEdit } from '../../src/save/data-edit.js';
import { changedLines } from '../../src/save/changed-lines.js';
import { conditionText, firstValues, OPERATORS } from '../../src/page/add/conditions.js';
import { criterionKeys, proposedCriterion, SHAPES } from '../../src/page/add/criterion-shapes.js';
import { type FieldFacts, fieldFacts } from '../../src/page/add/field-facts.js';
import { fieldText } from '../../src/page/add/field-text.js';
import { StudioModel } from '../../src/page/model/studio-model.js';
import { editsOf, entriesOf, LISTS, type Settings, withToggle } from '../../src/page/settings/settings.js';
import { type EntryList, freeId, selectEdit, withFileEdits, withoutEntry } from '../../src/page/settings/structure.js';
import { StudioSession } from '../../src/server/studio-session.js';
import { presetCases } from './preset-cases.js';

const NOW = Date.parse('2026-06-01');
const RUNS = 10;
const folder = newFolder();

/** A random action: its kind, and numbers that choose its parts. */
interface Action {
  readonly kind: 'criterion' | 'removal' | 'boost' | 'remove' | 'switch' | 'weight' | 'limit' | 'top';
  readonly a: number;
  readonly b: number;
}

const action: fc.Arbitrary<Action> = fc.record({
  kind: fc.constantFrom('criterion', 'removal', 'boost', 'remove', 'switch', 'weight', 'limit', 'top'),
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
  switch (kind) {
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

function expressionOf(field: FieldFacts, k: number): string | undefined {
  const operator = pick(OPERATORS[field.type], k)!;
  return conditionText({ field, operator, values: firstValues(field, operator) });
}

/** Words of which each changed line of the old text must have one. */
const touched = (edits: readonly FileEdit[]): readonly string[] =>
  edits.flatMap((edit) =>
    'path' in edit ? edit.path.flatMap((step) => (typeof step === 'object' ? [step.id] : [String(step)])) : [],
  );

/** The lines of the entries that edits remove. */
function removedLines(text: string, edits: readonly FileEdit[]): ReadonlySet<string> {
  const document = parseDocument(text);
  const entries = edits.flatMap((edit) => {
    const [list, step] = 'remove' in edit ? edit.path : [];
    const items: unknown = typeof list === 'string' ? document.get(list) : undefined;
    if (!isSeq(items) || typeof step !== 'object') return [];
    const range = items.items.find((one) => isMap(one) && one.get('id') === step.id);
    return isMap(range) ? text.slice(range.range![0], range.range![1]).split('\n') : [];
  });
  return new Set(entries.map((line) => line.trim()));
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
const commented: Case = {
  name: 'a commented profile',
  text: readFileSync(join(packageRoot(), 'config', 'demo', 'movies.yaml'), 'utf8'),
  candidates: films().slice(0, 400),
  context: {},
};

describe('random edit sessions', () => {
  test.each([...presets, commented])(
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
          for (const line of text.split('\n')) if (/^\s*#/.test(line)) expect(saved.split('\n')).toContain(line);
          const again = folder.write('saved.yaml', saved.replaceAll('name: movies', 'name: saved'));
          const ranking = await (await createPipeline<object>(again)).rank(candidates, context);
          const rows = (of: typeof ranking) => of.ranked.map(({ index, score }) => [index, score]);
          expect(rows(model.ranking)).toEqual(rows(ranking));
          const chosen = (of: typeof ranking) => of.selected.map(({ index }) => index).filter((index) => index >= 0); // a fallback does not run in a page
          expect(chosen(model.ranking)).toEqual(chosen(ranking));
        }),
        { numRuns: one === commented ? 4 * RUNS : RUNS },
      );
      expect(ranked).toBeGreaterThan(RUNS / 3);
    },
  );
});
