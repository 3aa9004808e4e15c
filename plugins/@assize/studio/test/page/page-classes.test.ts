import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createPipeline } from 'assize';
import type { FileEdit } from '../../src/save/data-edit.js';
import { agreementOf } from '../../src/page/model/class-profile.js';
import { StudioModel } from '../../src/page/model/studio-model.js';
import { editsOf, withParam } from '../../src/page/settings/settings.js';
import { withFileEdits, withoutEntry } from '../../src/page/settings/structure.js';
import { StudioSession } from '../../src/server/studio-session.js';
import { CHROMIUM } from '../../../../../test/bundling/chromium.js';
import { isBuilt, newFolder } from '../../../../../test/scale/threads/folder.js';
import { inStudio } from './in-studio.js';

const folder = newFolder();
const NOW = '2026-01-01';
const candidates = Array.from({ length: 60 }, (_, k) => ({
  id: `c${k}`,
  stars: (k * 7) % 60,
  rating: ((k * 13) % 50) / 10,
  released: new Date(Date.UTC(2025, 0, 1 + ((k * 31) % 360))).toISOString(),
}));
const YAML = `# mine
tier1_scorers:
  - { id: poor, class: ThresholdVeto, params: { value: rating, min: 1 } } # too bad
measures:
  - { id: spread, class: ScaledScorer, params: { scorer: { expr: candidate.stars } } }
tier2_scorers:
  - { id: fresh, class: DecayScorer, params: { field: released, curve: { type: exponential, half_life: 90d } } }
  - { id: shape, class: CurveScorer, params: { value: stars, points: [[0, 0], [30, 1], [60, 0.5]] } }
  - { id: scaled, class: ScaledScorer, params: { scorer: { expr: measures.spread * 2.0 } }, weight: 2 }
  - { id: stars, expr: candidate.stars / 60 }
select: { top: 10 }
`;
const halfLife = (days: number): FileEdit => ({
  path: ['tier2_scorers', { id: 'fresh' }, 'params', 'curve', 'half_life'],
  value: `${days}d`,
});

let files = 0;
async function open(text = YAML) {
  const file = folder.write(`classes-${(files += 1)}.yaml`, text);
  const session = await StudioSession.open({ profile: file, candidates, context: { now: NOW } });
  const asked: (readonly FileEdit[])[] = [];
  const model = await StudioModel.open(await session.data(), undefined, (edits) => {
    asked.push(edits);
    return session.draft(edits, 0);
  });
  return { session, model, asked };
}

const rowsOf = (of: Pick<StudioModel['ranking'], 'ranked'>) => of.ranked.map(({ index, score }) => [index, score]);

describe('params of classes that the page has', () => {
  test('change the ranking without the server, to the bit as the saved file ranks', async () => {
    const { session, model, asked } = await open();
    const { controls } = model.data;
    expect(controls['poor']).toMatchObject([{ name: 'min', value: 1 }]);
    const change = fc.record({
      half: fc.option(fc.integer({ min: 1, max: 400 })),
      min: fc.option(fc.integer({ min: 0, max: 4 })),
      y: fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
      weight: fc.option(fc.integer({ min: 0, max: 9 })),
      off: fc.option(fc.constantFrom('poor', 'fresh', 'stars')),
    });
    await fc.assert(
      fc.asyncProperty(change, async ({ half, min, y, weight, off }) => {
        let settings = withFileEdits(model.settings, half === null ? [] : [halfLife(half)]);
        if (min !== null) settings = withParam(settings, 'poor', 'min', min, 1);
        if (y !== null)
          settings = withParam(
            settings,
            'shape',
            'points',
            [
              [0, y],
              [60, 1],
            ],
            [],
          );
        if (weight !== null) settings = { ...settings, weights: { ...settings.weights, fresh: weight } };
        if (off !== null) settings = { ...settings, off: [off] };
        await model.set(settings);
        const { text } = await session.text(editsOf(model.data.profile, model.settings));
        const saved = await createPipeline<object>({ yaml: text, name: 'saved.yaml' });
        const ranking = await saved.rank(candidates, { now: NOW });
        expect(rowsOf(model.ranking)).toEqual(rowsOf(ranking));
        expect(model.ranking.selected.map(({ id }) => id)).toEqual(ranking.selected.map(({ id }) => id));
        expect(model.ranking.refused.length).toBe(ranking.refused.length);
      }),
      { numRuns: 40 },
    );
    expect(asked).toEqual([]);
  });

  test('of an added entry, after which the server answers once', async () => {
    const { model, asked } = await open();
    const added: FileEdit = {
      path: ['tier2_scorers', { id: 'again' }],
      value: {
        id: 'again',
        class: 'DecayScorer',
        params: { field: 'released', curve: { type: 'exponential', half_life: '9d' } },
      },
    };
    await model.set(withFileEdits(model.settled, [added]));
    expect(asked).toHaveLength(1);
    await model.set(withFileEdits(model.settled, [halfLife(5)]));
    expect(asked).toHaveLength(1);
    expect(model.scorers.map(({ id }) => id)).toContain('again');
    expect(model.data.editing?.params['fresh']).toContainEqual(
      expect.objectContaining({ path: ['curve', 'half_life'], value: '5d' }),
    );
    await model.set(withoutEntry(model, 'tier2_scorers', 'again'));
    await model.undo();
    await model.undo();
    await model.undo();
    expect(model.changed).toBe(false);
  });

  test.each([
    ['a wrong duration', { ...halfLife(1), value: 'soon' }, /half_life/],
    ['an unknown choice', { path: ['tier2_scorers', { id: 'fresh' }, 'params', 'curve', 'type'], value: 'odd' }, /odd/],
  ])('are reported by the server, with their place: %s', async (_, edit, message) => {
    const { model, asked } = await open();
    await expect(model.set(withFileEdits(model.settled, [edit as FileEdit]))).rejects.toThrow(message);
    expect(asked).toHaveLength(1);
    expect(model.changed).toBe(false);
  });

  test('are computed by the server if the page does not have a class', async () => {
    const plugin = folder.write(
      'mine.mjs',
      `import { defineScorer, z } from 'assize/sdk';
export class Mine { static meta = defineScorer({ summary: 'Mine.', params: z.object({ by: z.number().default(1) }) });
  compile({ by }) { return (candidate) => candidate.stars * by; } }\n`,
    );
    const text = `plugins: [${plugin}]\ntier2_scorers:\n  - { id: mine, class: Mine, params: { by: 2 } }\n  - { id: fresh, class: DecayScorer, params: { field: released, curve: { type: exponential, half_life: 90d } } }\n`;
    const { model, asked } = await open(text);
    await model.set(withFileEdits(model.settled, [halfLife(5)]));
    expect(asked).toHaveLength(1);
  });
});

describe('the agreement of two rankings', () => {
  const rank = async (scores: readonly number[], stars = candidates) =>
    (await createPipeline<object>({ tier2_scorers: [{ id: 'stars', expr: 'candidate.stars' }] })).rankSync(
      stars.slice(0, scores.length).map((one, k) => ({ ...one, stars: scores[k]! })),
    );

  test.each([
    [[1, 2, 3], 'same'],
    [[1, 2 + 4e-16, 3], 'near'],
    [[1, 2.001, 3], 'other'],
    [[1, 2], 'other'],
  ])('%j with 1, 2, 3: %s', async (scores, expected) => {
    expect(agreementOf(await rank([1, 2, 3]), await rank(scores))).toBe(expected);
  });
});

describe.skipIf(CHROMIUM === undefined || !isBuilt)('a param in a page [chromium]', () => {
  const openPage = inStudio('expert');

  test('changes the order also if the server has ended', async () => {
    const file = folder.write('page.yaml', YAML);
    const { page, studio, errors } = await openPage({ profile: file, candidates, context: { now: NOW } });
    const rows = () => page.locator('.grid [role=row] .id').allInnerTexts();
    const before = await rows();
    const half = page.getByLabel('fresh: half as new after, in days');
    await half.fill('5');
    await half.press('Enter');
    await expect.poll(rows).not.toEqual(before);
    const changed = await rows();
    expect(readFileSync(file, 'utf8')).toBe(YAML);
    await studio.close();
    await half.fill('700');
    await half.press('Enter');
    await expect.poll(rows).not.toEqual(changed);
    const longer = await rows();
    await page.getByLabel('poor: at least').fill('3');
    await page.getByLabel('poor: at least').press('Enter');
    await expect.poll(rows).not.toEqual(longer);
    expect(errors.filter((text) => !text.includes('Failed to load resource'))).toEqual([]);
  });
});
