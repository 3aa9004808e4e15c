import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { createPipeline } from 'assize';
import type { FileEdit } from '../../src/save/data-edit.js';
import { StudioModel } from '../../src/page/model/studio-model.js';
import { SeveralQueries } from '../../src/page/queries/several-queries.js';
import { editsOf, NOTHING_SET } from '../../src/page/settings/settings.js';
import { freeId, withFileEdits, withoutEntry } from '../../src/page/settings/structure.js';
import { StudioSession } from '../../src/server/studio-session.js';
import { newFolder } from '../../../../../test/scale/threads/folder.js';

const folder = newFolder();
const YAML = `# mine
tier1_scorers: [{ id: gone, expr: candidate.gone }] # never shown
tier2_scorers:
  - { id: stars, expr: candidate.stars, weight: 2 } # thousands
`;
const candidates = Array.from({ length: 9 }, (_, k) => ({ stars: k, size: 30 - 4 * k, gone: k === 8 }));
const SIZE: FileEdit = {
  path: ['tier2_scorers', { id: 'size' }],
  value: { id: 'size', class: 'ScaledScorer', params: { scorer: { expr: 'candidate.size' } }, weight: 20 },
};
let files = 0;

async function open(text = YAML, name = `profile-${(files += 1)}.yaml`) {
  const file = folder.write(name, text);
  const session = await StudioSession.open({ profile: file, candidates, context: {} });
  const model = await StudioModel.open(await session.data(), undefined, (edits) => session.draft(edits, 0));
  const save = async (of: StudioModel) => {
    const { settings } = of;
    await session.save(editsOf(of.data.profile, settings), of.saved.file!.version);
    return of.reloaded(await session.data(), 'saved', settings);
  };
  return { file, session, model, save };
}

const first = (model: StudioModel): number => model.shown.order[0]!;

describe('structural edits', () => {
  test('rank with weights, params and switches of the added entries, and can be undone', async () => {
    const { model } = await open();
    expect(first(model)).toBe(7);
    await model.set(withFileEdits(model.settled, [SIZE]));
    expect(first(model)).toBe(0);
    expect(model.scorers.map(({ id }) => id)).toEqual(['stars', 'size']);
    expect(model.saved.profile.tier2_scorers).toHaveLength(1);
    await model.set({ ...model.settings, weights: { size: 0.001 } });
    expect(first(model)).toBe(7);
    await model.set({ ...model.settings, weights: { size: 0.001 }, off: ['stars'] });
    expect(first(model)).toBe(0);
    for (const expected of [7, 0, 7]) {
      // oxlint-disable-next-line no-await-in-loop -- one step after the other
      await model.undo();
      expect(first(model)).toBe(expected);
    }
    expect(model.changed).toBe(false);
    await model.redo();
    expect(first(model)).toBe(0);
  });

  test('are tried and cancelled without a step', async () => {
    const { model } = await open();
    await model.preview(withFileEdits(model.settled, [SIZE]));
    expect(first(model)).toBe(0);
    await model.cancel();
    expect([first(model), model.canUndo, model.changed]).toEqual([7, false, false]);
  });

  test('that are not valid change nothing, and report the place', async () => {
    const { model } = await open();
    const wrong: FileEdit = { path: ['adjustments', { id: 'x' }], value: { id: 'x', when: 'candidate.', add: 1 } };
    await expect(model.set(withFileEdits(model.settled, [wrong]))).rejects.toThrow(
      /profile-\d+\.yaml:5:\d+ error ASZ401/,
    );
    expect([first(model), model.changed]).toEqual([7, false]);
  });

  test('a typed text that is not YAML is reported with its code and place', async () => {
    const { session } = await open();
    const draft = session.draft([{ text: 'tier2_scorers: [' }], 0);
    await expect(draft).rejects.toThrow(/profile-\d+\.yaml:1:\d+ error ASZ1/);
    await expect(draft).rejects.toMatchObject({ problems: [{ place: { line: 1 } }] });
  });

  test('a save writes them, undo restores the old text with its comments, and redo the new one', async () => {
    const { file, model, save } = await open();
    await model.set(withFileEdits(model.settled, [SIZE]));
    await model.set({ ...model.settings, weights: { size: 3 } });
    model.keep('both');
    await model.set(withoutEntry(model, 'tier1_scorers', 'gone'));
    let now = await save(model);
    const saved = readFileSync(file, 'utf8');
    expect(saved).toBe(`# mine
tier2_scorers:
  - { id: stars, expr: candidate.stars, weight: 2 } # thousands
  - { id: size, class: ScaledScorer, params: { scorer: { expr: candidate.size } }, weight: 3 }
`);
    expect([now.changed, now.shown.order.length]).toEqual([false, 9]);
    for (let step = 0; step < 3; step++) await now.undo(); // oxlint-disable-line no-await-in-loop
    expect([now.canUndo, now.shown.order.length]).toEqual([false, 8]);
    now = await save(now);
    expect(readFileSync(file, 'utf8')).toBe(YAML);
    for (let step = 0; step < 3; step++) await now.redo(); // oxlint-disable-line no-await-in-loop
    now = await save(now);
    expect(readFileSync(file, 'utf8')).toBe(saved);
    await now.goBackTo(now.history.kept.find(({ name }) => name === 'both')!);
    expect(now.shown.order).toHaveLength(8);
    await save(now);
    expect(readFileSync(file, 'utf8')).toContain('tier1_scorers: [{ id: gone');
  });

  test('stay after a change of the file, if they still fit', async () => {
    const { file, session, model } = await open();
    await model.set(withFileEdits(model.settled, [SIZE]));
    const reloaded = async (text: string) => {
      writeFileSync(file, text);
      await session.changed('', AbortSignal.timeout(0));
      return model.reloaded(await session.data(), 'reloaded');
    };
    const changed = await reloaded(YAML.replace('weight: 2', 'weight: 50'));
    expect([changed.lost, changed.settings.edits, first(changed)]).toEqual([undefined, [SIZE], 7]);
    await model.set(withoutEntry(model, 'tier1_scorers', 'gone'));
    const lost = await reloaded(YAML.replace(/^tier1_scorers.*\n/m, ''));
    expect(lost.lost).toBe('tier1_scorers[gone] is not in the file, so it cannot be removed');
    expect([lost.changed, lost.shown.order.length]).toEqual([false, 9]);
  });

  test('a removed own entry is gone; an inherited one is switched off in the own file', async () => {
    folder.write('base.yaml', YAML);
    const child = `extends: [./base.yaml]\ntier2_scorers: [{ id: stars, weight: 3 }, { id: own, expr: candidate.size }]\n`;
    const { file, model, save } = await open(child);
    expect(model.data.editing?.origins).toMatchObject({
      tier1_scorers: { gone: 'inherited' },
      tier2_scorers: { stars: 'amended', own: 'own' },
    });
    await model.set(withoutEntry(model, 'tier2_scorers', 'own'));
    await model.set(withoutEntry(model, 'tier1_scorers', 'gone'));
    await save(model);
    expect(readFileSync(file, 'utf8')).toBe(
      'extends: [./base.yaml]\ntier2_scorers: [{ id: stars, weight: 3 }]\ntier1_scorers: [{ id: gone, enabled: false }]\n',
    );
  });

  test('an added entry that is removed again leaves nothing, and an edit replaces a weight that was set before', async () => {
    const { model } = await open();
    await model.set(withFileEdits(model.settled, [SIZE]));
    await model.set({ ...model.settings, weights: { size: 2, stars: 5 } });
    expect(withoutEntry(model, 'tier2_scorers', 'size')).toEqual({ ...NOTHING_SET, weights: { stars: 5 } });
    const weight: FileEdit = { path: ['tier2_scorers', { id: 'stars' }, 'weight'], value: 1 };
    expect(withFileEdits(model.settings, [weight]).weights).toEqual({ size: 2 });
    expect(freeId(model.data, 'Size')).toBe('size_2');
    expect(freeId(model.data, 'in')).toBe('in_2');
  });

  test('explanations of a draft have the notes of its classes, and params that name files are read-only', async () => {
    const { session } = await open();
    const explanation = await session.explain([SIZE], 0, 0);
    expect(JSON.stringify(explanation)).toContain('candidate.size');
    const { editing } = await session.draft([SIZE], 0);
    expect(editing?.params['size']?.map(({ path, value }) => [path.join('.'), value])).toContainEqual([
      'scorer.expr',
      'candidate.size',
    ]);
    const text = `tier2_scorers: [{ id: a, class: SemanticSimilarityScorer, params: { text: [x], query: q, embedder: lexical } }]\n`;
    const other = await StudioSession.open({
      profile: folder.write('read-only.yaml', text),
      candidates: [{ x: 'y' }],
      context: { q: 'y' },
    });
    const fields = (await other.data()).editing?.params['a'];
    expect(fields?.find(({ path }) => path[0] === 'embedder')).toMatchObject({ value: 'lexical', readOnly: true });
  });
});

test('several queries are measured by a draft as by the saved file', async () => {
  const queries = Array.from({ length: 4 }, (_, q) => ({
    id: `q${q}`,
    context: {},
    candidates: Array.from({ length: 6 }, (_one, k) => ({ stars: k, size: (k * 7 + q) % 6 })),
    grades: Array.from({ length: 6 }, (_one, k) => (k + q) % 3),
    missing: [],
  }));
  const file = folder.write('queries.yaml', YAML);
  const session = await StudioSession.open({ profile: file, queries });
  const ask = (query: number) => (edits: readonly FileEdit[]) => session.draft(edits, query);
  const several = new SeveralQueries(await session.data(), await session.allQueries(), ask);
  const model = await StudioModel.open(several.dataOf(0), undefined, ask(0));
  await model.set(withFileEdits(model.settled, [SIZE]));
  const measured = await several.measure(model.settings, () => true);
  const saved = await StudioSession.open({
    profile: folder.write('queries-saved.yaml', (await session.text(model.settings.edits)).text),
    queries,
  });
  const expected = await new SeveralQueries(await saved.data(), await saved.allQueries(), undefined).measure(
    NOTHING_SET,
    () => true,
  );
  expect(measured?.means).toEqual(expected?.means);
  const third = await model.about(several.dataOf(2), ask(2));
  const ranking = await (await createPipeline<object>(folder.path + '/queries-saved.yaml')).rank(
    queries[2]!.candidates,
    {},
  );
  expect([...third.shown.order]).toEqual(ranking.ranked.map(({ index }) => index));
});
