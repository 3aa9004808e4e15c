import { expect, test } from 'vitest';
import { counted } from '../../src/base/index.js';

test.each([
  [counted(1, 'query', 'queries'), '1 query'],
  [counted(0, 'query', 'queries'), '0 queries'],
  [counted(1832, 'candidate'), '1,832 candidates'],
])('a count with its noun: %s', (found, expected) => {
  expect(found).toBe(expected);
});
