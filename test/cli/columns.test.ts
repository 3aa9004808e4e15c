import { writeFileSync } from 'node:fs';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { expect, test } from 'vitest';
import { assize, inFolder } from './run-here.js';

const ROWS = [
  { name: 'compass', stars: 850, note: 'x' },
  { name: 'sextant', stars: null, note: null },
  { name: 'astrolabe', stars: 2400, note: 'z' },
];

inFolder({
  'team.yaml': `candidate: { id: name }
tier1_scorers: [{ id: few, expr: candidate.stars < 10, on_absent: refuse }]
tier2_scorers: [{ id: popular, expr: 'candidate.stars / 1000' }, { id: typo, expr: size(candidate.nots), on_absent: 0 }]
select: { top: 1 }
`,
  'rows.jsonl': ROWS.map((row) => `${JSON.stringify(row)}\n`).join(''),
});

test.each([
  ['rank', '-p', './team.yaml'],
  ['rank', '-p', './team.yaml', '--format', 'json'],
  ['score', '-p', './team.yaml'],
  ['score', '-p', './team.yaml', '--format', 'jsonl'],
  ['explain', '-p', './team.yaml', 'astrolabe'],
  ['compare', '-p', './team.yaml', 'astrolabe', 'compass'],
])('assize %s %s %s %s %s: Parquet gives the same output as JSON Lines', async (...args) => {
  const column = (name: 'name' | 'stars' | 'note') => ROWS.map((row) => row[name]);
  const columnData = [
    { name: 'name', data: column('name'), type: 'STRING' as const },
    { name: 'stars', data: column('stars'), type: 'DOUBLE' as const },
    { name: 'note', data: column('note'), type: 'STRING' as const },
  ];
  writeFileSync('rows.parquet', new Uint8Array(parquetWriteBuffer({ columnData })));
  const byLine = await assize([...args, 'rows.jsonl']);
  expect(byLine.code).toBe(0);
  expect(byLine.err).toMatch(/did you mean note\?|^$/);
  expect(await assize([...args, 'rows.parquet'])).toEqual(byLine);
});
