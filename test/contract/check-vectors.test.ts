import { expect, test } from 'vitest';
import { abstain, veto } from 'assize/sdk';
import { checkVectors } from 'assize/testing';
import { type Stars, unitOf, unitPreparing, unitRemembering } from './broken-units.js';

const tenths = unitOf<Partial<Stars>>(
  ({ stars }, _index, note) => {
    if (stars === undefined) return abstain(note, 'none');
    if (stars < 0) throw new RangeError('stars are counted from 0');
    return stars / 10;
  },
  { reasons: { none: 'no stars' } },
);

test('numbers, abstentions and failures that match', async () => {
  const candidates = [{ stars: 3 }, {}, { stars: -1 }];
  expect(await checkVectors(tenths, [{ candidates, expected: [0.3, null, { error: 'counted from 0' }] }])).toEqual([]);
  expect(await checkVectors(tenths, [{ candidates: [{}], expected: [undefined] }])).toEqual([]);
  const refuses = veto<Stars>(({ stars }) => stars > 5);
  expect(await checkVectors(refuses, [{ candidates: [{ stars: 7 }, { stars: 1 }], expected: [true, false] }])).toEqual(
    [],
  );
});

test('mismatches are reported with their vector and candidate', async () => {
  const findings = await checkVectors(tenths, [
    { name: 'three', candidates: [{ stars: 3 }, { stars: 4 }], expected: [0.3, 0.41] },
    { candidates: [{ stars: 3 }], expected: [null] },
    { candidates: [{}], expected: [0] },
    { candidates: [{ stars: -1 }], expected: [{ error: 'negative' }] },
    { candidates: [{ stars: 1 }], expected: [{ error: 'negative' }] },
    { candidates: [{ stars: 1 }], expected: [true] },
    { candidates: [{ stars: 1 }], expected: [] },
    { candidates: [{ stars: 1 }], params: { most: 3 }, expected: [0.1] },
  ]);
  expect(findings).toEqual([
    { vector: 'three', candidate: 1, seen: '0.4, expected 0.41' },
    { vector: '#1', candidate: 0, seen: '0.3, expected nothing' },
    { vector: '#2', candidate: 0, seen: 'nothing, expected 0' },
    {
      vector: '#3',
      candidate: 0,
      seen: 'an error (stars are counted from 0), expected an error with "negative"',
    },
    { vector: '#4', candidate: 0, seen: '0.1, expected an error with "negative"' },
    { vector: '#5', candidate: 0, seen: '0.1, expected true' },
    { vector: '#6', seen: 'it has 1 candidates, but 0 expected results' },
    { vector: '#7', seen: expect.stringContaining('unknown key most') },
  ]);
});

test('a tolerance is an absolute difference', async () => {
  const vectors = [{ candidates: [{ stars: 3 }], expected: [0.3001] }];
  expect(await checkVectors(tenths, vectors, { tolerance: 1e-3 })).toEqual([]);
  expect(await checkVectors(tenths, vectors, { tolerance: 1e-5 })).toEqual([
    { vector: '#0', candidate: 0, seen: '0.3, expected 0.3001 within 0.00001' },
  ]);
});

test('the candidates of a vector are one batch, and every vector starts with an empty memory', async () => {
  const most = unitPreparing('set', ({ candidates }) => {
    const top = Math.max(...candidates.map(({ stars }) => stars));
    return ({ stars }) => stars / top;
  });
  expect(await checkVectors(most, [{ candidates: [{ stars: 2 }, { stars: 4 }], expected: [0.5, 1] }])).toEqual([]);
  const seen = unitRemembering((memory, { candidates }) => ({
    score: ({ stars }) => Number(memory.has(stars)),
    memory: new Set([...memory, ...candidates.map(({ stars }) => stars)]),
  }));
  const vector = { candidates: [{ stars: 1 }], expected: [0] };
  expect(await checkVectors(seen, [vector, vector])).toEqual([]);
});
