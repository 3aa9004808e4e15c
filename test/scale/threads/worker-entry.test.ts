import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '../../../src/base/package-root.js';

test('the entry of a thread requires no other module', () => {
  const text = readFileSync(join(packageRoot(), 'src', 'scale', 'threads', 'worker-entry.ts'), 'utf8');
  const imports = text.split('\n').filter((line) => line.startsWith('import '));
  expect(imports.length).toBeGreaterThan(0);
  expect(imports.filter((line) => !line.startsWith('import type '))).toEqual([]);
});
