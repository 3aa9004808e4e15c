import { expect, test } from 'vitest';
import { editWords } from '../../src/page/changes/edit-words.js';
import { StudioModel } from '../../src/page/model/studio-model.js';
import { durationIn, durationWords } from '../../src/page/recipe/durations.js';
import type { FileEdit } from '../../src/save/data-edit.js';
import { StudioSession } from '../../src/server/studio-session.js';
import { newFolder } from '../../../../../test/scale/threads/folder.js';

const folder = newFolder();
const YAML = `tier1_scorers: [{ id: sold_out, label: Out of stock, expr: candidate.stock == 0 }]
tier2_scorers:
  - { id: stars, expr: candidate.stars }
  - { id: newer, class: DecayScorer, params: { field: added, curve: { type: exponential, half_life: 90d } } }
select: { top: 3, per: { by: candidate.brand, top: 2 } }
`;

test('structural edits in words', async () => {
  const candidates = [{ id: 'a', stars: 1, stock: 2, added: '2026-01-01', brand: 'x' }];
  const session = await StudioSession.open({ profile: folder.write('shop.yaml', YAML), candidates, context: {} });
  const model = await StudioModel.open(await session.data());
  const newer = ['tier2_scorers', { id: 'newer' }];
  const edits: readonly (readonly [FileEdit, string])[] = [
    [{ path: ['tier2_scorers', { id: 'low_price' }], value: { id: 'low_price' } }, 'Added criterion “Low price”'],
    [{ path: ['adjustments', { id: 'own' }], value: { id: 'own', label: 'Our brand' } }, 'Added boost “Our brand”'],
    [{ path: ['tier1_scorers', { id: 'sold_out' }], remove: true }, 'Deleted removal “Out of stock”'],
    [{ path: newer, value: { id: 'newer', expr: '1' } }, 'Changed criterion “Newer”'],
    [
      { path: [...newer, 'params', 'curve', 'half_life'], value: '30d' },
      'Newer: half as new after 30 days (was 90 days)',
    ],
    [{ path: [...newer, 'label'], value: 'New' }, 'Changed criterion “Newer”: name is New'],
    [
      { path: ['select', 'per'], value: { by: 'candidate["Major Genre"]', top: 1 } },
      'At most 1 with the same Major Genre are shown',
    ],
    [{ path: ['select', 'per'], remove: true }, 'Removed the limit per group'],
    [{ path: ['select', 'top'], value: 5 }, 'The top 5 are shown (was 3)'],
    [
      { path: ['select', 'diversify'], value: { class: 'MmrSelector', params: { fields: 'brand' } } },
      'Prefers items that differ in brand',
    ],
    [
      { path: ['select', 'duplicates'], value: 'candidate.brand' },
      'Of the items with the same brand, only the best one is shown',
    ],
    [
      { path: ['select', 'ties'], value: ['candidate.stock', 'candidate.added'] },
      'Equal scores are ordered by stock and added',
    ],
    [{ text: YAML }, 'Changed the text of the file'],
  ];
  expect(edits.map(([edit]) => editWords(model, edit))).toEqual(edits.map(([, words]) => words));
});

test('durations as a file writes them', () => {
  expect(['90d', '1h', '1.5y', 'PT1H', 'd', '5'].map((text) => durationWords(text))).toEqual([
    '90 days',
    '1 hour',
    '1.5 years',
    undefined,
    undefined,
    undefined,
  ]);
  expect(durationIn(90)).toBeUndefined();
});
