import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '../../src/base/package-root.js';
import { withBlock } from '../reference/blocks.js';
import { SUITES } from './suites.js';
import { fallenSuites, runSuites, suitesTable } from './table.js';

const file = join(packageRoot(), 'test', 'conformance', 'README.md');

/** `UPDATE_README=1` writes the table, as `npm run generate` does for the others. */
test('the README has the counts of every suite, as they run', async () => {
  const rows = await runSuites(SUITES);
  expect(rows.filter(({ failed }) => failed > 0)).toEqual([]);
  const document = readFileSync(file, 'utf8');
  const generated = withBlock(document, 'suites', suitesTable(rows), '# Tests of others');
  if (process.env['UPDATE_README']) writeFileSync(file, generated);
  else expect(document).toBe(generated);
});

test('a suite of which fewer cases pass is reported', () => {
  const suite = { name: 'ranx', version: '1', folder: 'rank-fusion', run: () => Promise.resolve(undefined) };
  const row = { suite, passed: 1000, failed: 0, differs: 2, notApplicable: 3, hasRun: true };
  const document = suitesTable([row]);
  expect(document.split('\n')[2]).toBe('| [ranx](../fixtures/rank-fusion/SOURCE.md) | 1 | 1,005 | 1,000 | 2 | 3 |');
  expect(fallenSuites([row, { ...row, passed: 1001 }], document)).toEqual([]);
  expect(fallenSuites([{ ...row, passed: 999 }], document)).toEqual(['ranx: 999 cases pass, 1000 passed before']);
});
