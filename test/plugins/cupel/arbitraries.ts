import * as fc from 'fast-check';
import type { Item } from './naive.js';

/** Few of each, so that there are ties; some differ only in case, and some have letters that only Unicode folds. */
const aTag = fc.constantFrom(
  'a',
  'A',
  'b',
  'B',
  'k',
  '\u212a',
  'é',
  'É',
  'ab',
  'aB',
  '',
  'c',
  'd',
  'e',
  'f',
  'g',
  'h',
  'i',
);

/** Any item: each field may be missing. */
const anItem: fc.Arbitrary<Item> = fc.record(
  {
    timestamp: fc.oneof(fc.integer({ min: -5, max: 5 }), fc.integer()),
    priority: fc.oneof(fc.constantFrom(0, -0, 1, -1), fc.double({ noNaN: true, noDefaultInfinity: true })),
    tags: fc.oneof(
      { weight: 4, arbitrary: fc.array(aTag, { maxLength: 4 }) },
      { weight: 1, arbitrary: fc.array(aTag, { minLength: 5, maxLength: 20 }) },
    ),
    kind: fc.constantFrom('Message', 'Memory', 'Document', 'Other'),
    future_relevance_hint: fc.double({ min: -1, max: 2 }),
  },
  { requiredKeys: [] },
);

export const itemList = (maxLength: number): fc.Arbitrary<readonly Item[]> => fc.array(anItem, { maxLength });
