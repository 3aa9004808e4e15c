import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ClassOrigins } from '../../src/profile/class-lookup.js';
import { mergeProfiles } from '../../src/profile/source/merge-profiles.js';
import type { RawMap } from '../../src/profile/source/raw-profile.js';

interface Entry {
  readonly id: string;
  readonly [key: string]: unknown;
}

const ids = ['a', 'b', 'c', 'd', 'e'] as const;
const entry: fc.Arbitrary<Entry> = fc.record(
  {
    id: fc.constantFrom(...ids),
    expr: fc.constantFrom('1.0', '2.0'),
    weight: fc.nat(3),
    before: fc.constantFrom(...ids),
    params: fc.dictionary(fc.constantFrom('x', 'y', '__proto__', 'constructor'), fc.nat(3)),
  },
  { requiredKeys: ['id'] },
);
const entries = fc.uniqueArray(entry, { selector: ({ id }) => id, maxLength: 5 });

const profile: fc.Arbitrary<RawMap> = fc.record(
  {
    name: fc.constantFrom('one', 'two'),
    plugins: fc.constant(['./p.js']),
    tier2_scorers: entries,
    select: fc.record(
      { top: fc.nat(3), min_score: fc.nat(3), ties: fc.array(fc.constantFrom('input', 'score')) },
      { requiredKeys: [] },
    ),
    weights: fc.record({
      cases: fc.dictionary(
        fc.constantFrom('x', '__proto__', 'toString'),
        fc.dictionary(fc.constantFrom(...ids), fc.nat(3)),
      ),
    }),
    fallback: fc.array(fc.record({ use: fc.constantFrom(...ids) })),
  },
  { requiredKeys: [] },
);

const merge = (base: RawMap, over: RawMap): RawMap => mergeProfiles(base, over, new ClassOrigins());
const listOf = (raw: RawMap): readonly Entry[] => (raw['tier2_scorers'] ?? []) as Entry[];
const idsOf = (raw: RawMap): string[] => listOf(raw).map(({ id }) => id);
const without = (raw: RawMap, ...keys: string[]): RawMap =>
  Object.fromEntries(Object.entries(raw).filter(([key]) => !keys.includes(key)));

describe('extends', () => {
  test('is idempotent: extending itself changes nothing', () => {
    fc.assert(
      fc.property(profile, (one) => {
        expect(merge(one, one)).toEqual(one);
      }),
    );
  });

  test('the same file twice is the same file once', () => {
    fc.assert(
      fc.property(profile, profile, (base, over) => {
        const once = merge(base, over);
        expect(without(merge(once, over), 'name', 'plugins')).toEqual(without(once, 'name', 'plugins'));
      }),
    );
  });

  test('does not inherit keys about the base file alone', () => {
    fc.assert(
      fc.property(profile, (base) => {
        expect(merge(base, {})).toEqual(without(base, 'name', 'description', 'extends', 'plugins'));
      }),
    );
  });

  test('keeps inherited positions, and has every entry once', () => {
    fc.assert(
      fc.property(profile, profile, (base, over) => {
        const merged = idsOf(merge(base, over));
        expect(merged.filter((id) => idsOf(base).includes(id))).toEqual(idsOf(base));
        expect(merged.toSorted()).toEqual([...new Set([...idsOf(base), ...idsOf(over)])].toSorted());
      }),
    );
  });

  test('puts new entries last, or where before states', () => {
    fc.assert(
      fc.property(profile, profile, (base, over) => {
        const expected = idsOf(base);
        for (const { id, before } of listOf(over)) {
          if (expected.includes(id)) continue;
          const at = before === undefined ? -1 : expected.indexOf(before as string);
          expected.splice(at < 0 ? expected.length : at, 0, id);
        }
        expect(idsOf(merge({ tier2_scorers: [], ...base }, over))).toEqual(expected);
      }),
    );
  });

  test('an entry with an expr replaces the inherited one, without it amends it key by key', () => {
    fc.assert(
      fc.property(profile, profile, (base, over) => {
        const merged = new Map(listOf(merge(base, over)).map((one) => [one.id, one]));
        for (const one of listOf(over)) {
          const inherited = listOf(base).find(({ id }) => id === one.id);
          const amended: Record<string, unknown> = { ...inherited, ...one };
          if (inherited?.['params'] && one['params']) {
            amended['params'] = Object.fromEntries([
              ...Object.entries(inherited['params']),
              ...Object.entries(one['params']),
            ]);
          }
          expect(merged.get(one.id)).toEqual(inherited && !('expr' in one) ? amended : one);
        }
      }),
    );
  });

  test('merges maps by key, replaces lists without ids, and changes neither side', () => {
    fc.assert(
      fc.property(profile, profile, (base, over) => {
        const before = structuredClone([base, over]);
        const merged = merge(base, over);
        expect([base, over]).toEqual(before);
        const select = (raw: RawMap) => (raw['select'] ?? {}) as RawMap;
        expect(merged['select'] ?? {}).toEqual({ ...select(base), ...select(over) });
        expect(merged['fallback']).toEqual(over['fallback'] ?? base['fallback']);
      }),
    );
  });

  test('an entry inside a unit becomes a formula, or another class, and keeps nothing else', () => {
    const inside = (inner: RawMap): RawMap => ({ tier2_scorers: [{ id: 'a', params: { base: inner } }] });
    const decay = { class: 'DecayScorer', params: { field: 'at' }, on_absent: 0.5 };
    const merged = (base: RawMap, over: RawMap) => merge(inside(base), inside(over));
    expect(merged(decay, { expr: '0.5' })).toEqual(inside({ expr: '0.5', on_absent: 0.5 }));
    expect(merged({ expr: '0.5' }, decay)).toEqual(inside(decay));
    expect(merged(decay, { class: 'CountScorer' })).toEqual(inside({ class: 'CountScorer', on_absent: 0.5 }));
    expect(merged(decay, { class: 'DecayScorer', params: { curve: 'linear' } })).toEqual(
      inside({ ...decay, params: { field: 'at', curve: 'linear' } }),
    );
  });
});
