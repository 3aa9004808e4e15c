// @ts-check
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkUnit, checkVectors } from 'assize/testing';
import { NameVeto } from './name-veto.js';

// Realistic candidates, and edge cases.
const candidates = [{ value: 0 }, { value: 0.5 }, { value: 2 }, { value: null }, {}];

test('NameVeto passes the contract suite', async () => {
  assert.deepEqual(await checkUnit(NameVeto, { candidates }), []);
});

test('NameVeto returns the expected values', async () => {
  const vectors = [
    { candidates, expected: [false, false, true, null, null] },
    { params: { most: 10 }, candidates: [{ value: 5 }], expected: [false] },
  ];
  assert.deepEqual(await checkVectors(NameVeto, vectors), []);
});
