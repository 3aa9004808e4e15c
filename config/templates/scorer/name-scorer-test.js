// @ts-check
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkUnit, checkVectors } from 'assize/testing';
import { NameScorer } from './name-scorer.js';

// Realistic candidates, and edge cases.
const candidates = [{ value: 0 }, { value: 0.5 }, { value: 2 }, { value: null }, {}];

test('NameScorer passes the contract suite', async () => {
  assert.deepEqual(await checkUnit(NameScorer, { candidates }), []);
});

test('NameScorer returns the expected values', async () => {
  const vectors = [
    { candidates, expected: [0, 0.5, 1, null, null] },
    { params: { most: 10 }, candidates: [{ value: 5 }], expected: [0.5] },
  ];
  assert.deepEqual(await checkVectors(NameScorer, vectors), []);
});
