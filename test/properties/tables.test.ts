/* The table "Absent, failed, out of range" of the design, row by row. */
import { describe, expect, test } from 'vitest';
import { type ProfileInput, scorer, veto } from 'assize';
import { defineScorer, defineVeto, z } from 'assize/sdk';
import { messageOf, rankBy, refusalsOf, scoresOf } from './ranked.js';

const throws = (): never => {
  throw new Error('boom');
};

/** Every failure on a candidate. */
const FAILURES: Readonly<Record<string, () => unknown>> = {
  Throws: throws,
  Null: () => null,
  Text: () => '5',
  Map: () => ({}),
  Promised: () => Promise.resolve(1),
};
const NO_NUMBERS = { ...FAILURES, NaN: () => Number.NaN, Infinity: () => Infinity, True: () => true };
const NO_BOOLEANS = { ...FAILURES, One: () => 1, Zero: () => 0 };

const scorers = Object.fromEntries(
  Object.entries(NO_NUMBERS).map(([name, give]) => [name, scorer(give as () => number)]),
);
const vetoes = Object.fromEntries(
  Object.entries(NO_BOOLEANS).map(([name, give]) => [name, veto(give as unknown as () => boolean)]),
);

/** Every way in which prepare fails. */
const PREPARES: Readonly<Record<string, () => unknown>> = {
  throws,
  rejects: () => Promise.reject(new Error('boom')),
  'times out': () => new Promise(() => {}),
};

const base = { summary: 'Cannot be prepared.', params: z.strictObject({ how: z.string() }) };
class Unready {
  static readonly meta = defineScorer(base);
  prepare({ how }: { how: string }): never {
    return PREPARES[how]!() as never;
  }
}
class UnreadyVeto {
  static readonly meta = defineVeto(base);
  prepare({ how }: { how: string }): never {
    return PREPARES[how]!() as never;
  }
}
class AbsentIsZero {
  static readonly meta = defineScorer({ summary: 'Abstains.', onAbsent: 0, params: z.strictObject({}) });
  compile() {
    return () => undefined;
  }
}
class AbsentIsRefused {
  static readonly meta = defineVeto({ summary: 'Abstains.', onAbsent: 'refuse', params: z.strictObject({}) });
  compile() {
    return () => undefined;
  }
}

const units = { ...scorers, Unready, AbsentIsZero, Over: scorer(() => 1.5, { range: [0, 1] }) };
const vetoUnits = { ...vetoes, UnreadyVeto, AbsentIsRefused };

type Veto = NonNullable<ProfileInput['tier1_scorers']>[number];
type Scorer = NonNullable<ProfileInput['tier2_scorers']>[number];

/** The result of one candidate under one veto: its refusal, or nothing if it passes. */
const vetoed = async (entry: Omit<Veto, 'id'>) =>
  refusalsOf(await rankBy({ tier1_scorers: [{ id: 'v', ...entry }] }, [{ id: 'x' }], {}, { units: vetoUnits }));

/** The result of one candidate under one scorer next to another that gives 1: its score, or its refusal. */
const scored = async (entry: Omit<Scorer, 'id'>) => {
  const tier2_scorers = [
    { id: 's', ...entry },
    { id: 'one', expr: '1.0' },
  ];
  const ranking = await rankBy({ tier2_scorers }, [{ id: 'x' }], {}, { units });
  return scoresOf(ranking)['x'] ?? refusalsOf(ranking)[0];
};

describe('Tier 1', () => {
  test('abstains: passes, unless the entry or its class states refuse', async () => {
    expect(await vetoed({ expr: 'candidate.a' })).toEqual([]);
    expect(await vetoed({ expr: 'candidate.a', on_absent: 'pass' })).toEqual([]);
    expect(await vetoed({ expr: 'candidate.a', on_absent: 'refuse' })).toEqual(['x: absent by v']);
    expect(await vetoed({ class: 'AbsentIsRefused' })).toEqual(['x: absent by v']);
    expect(await vetoed({ class: 'AbsentIsRefused', on_absent: 'pass' })).toEqual([]);
  });

  test.each(Object.keys(NO_BOOLEANS))('fails on a candidate (%s): refuse, pass or fail', async (name) => {
    expect(await vetoed({ class: name })).toEqual(['x: error by v']);
    expect(await vetoed({ class: name, on_error: 'refuse' })).toEqual(['x: error by v']);
    expect(await vetoed({ class: name, on_error: 'pass' })).toEqual([]);
    expect(await messageOf(vetoed({ class: name, on_error: 'fail' }))).toMatch(/^AssizeError: .*\bv failed on x: /);
  });

  test.each(Object.keys(PREPARES))('%s in prepare: refuse, pass or fail', async (how) => {
    const entry = { class: 'UnreadyVeto', params: { how }, timeout: 20 };
    expect(await vetoed(entry)).toEqual(['x: error by v']);
    expect(await vetoed({ ...entry, on_error: 'pass' })).toEqual([]);
    expect(await messageOf(vetoed({ ...entry, on_error: 'fail' }))).toMatch(/^AssizeError: .*\bv failed: /);
  });
});

describe('Tier 2', () => {
  test('abstains: skipped, unless the entry or its class states a number or refuse', async () => {
    expect(await scored({ expr: 'candidate.a' })).toBe(1);
    expect(await scored({ expr: 'candidate.a', on_absent: 0.5 })).toBe(0.75);
    expect(await scored({ expr: 'candidate.a', on_absent: 'refuse' })).toBe('x: absent by s');
    expect(await scored({ class: 'AbsentIsZero' })).toBe(0.5);
    expect(await scored({ class: 'AbsentIsZero', on_absent: 'skip' })).toBe(1);
  });

  test.each(Object.keys(NO_NUMBERS))('fails on a candidate (%s): refuse, skip, a number or fail', async (name) => {
    expect(await scored({ class: name })).toBe('x: error by s');
    expect(await scored({ class: name, on_error: 'skip' })).toBe(1);
    expect(await scored({ class: name, on_error: 0.5 })).toBe(0.75);
    expect(await messageOf(scored({ class: name, on_error: 'fail' }))).toMatch(/^AssizeError: .*\bs failed/);
  });

  test.each(Object.keys(PREPARES))('%s in prepare: the run fails, unless the entry states otherwise', async (how) => {
    const entry = { class: 'Unready', params: { how }, timeout: 20 };
    expect(await messageOf(scored(entry))).toMatch(/^AssizeError: .*\bs failed: /);
    expect(await messageOf(scored({ ...entry, on_error: 'fail' }))).toMatch(/^AssizeError: /);
    expect(await scored({ ...entry, on_error: 'refuse' })).toBe('x: error by s');
    expect(await scored({ ...entry, on_error: 'skip' })).toBe(1);
    expect(await scored({ ...entry, on_error: 0.5 })).toBe(0.75);
  });

  test('outside its declared range: warns, unless the entry states clamp or fail', async () => {
    expect(await scored({ class: 'Over' })).toBe(1.25);
    expect(await scored({ class: 'Over', out_of_range: 'warn' })).toBe(1.25);
    expect(await scored({ class: 'Over', out_of_range: 'clamp' })).toBe(1);
    expect(await messageOf(scored({ class: 'Over', out_of_range: 'fail' }))).toContain('s failed');
    const { scoreWarnings } = await rankBy(
      { tier2_scorers: [{ id: 's', class: 'Over' }] },
      [{ id: 'x' }],
      {},
      { units },
    );
    expect(scoreWarnings).toMatchObject([
      { code: 'ASZ713', message: 's was outside its range of 0 to 1 once: 1.5 for x' },
    ]);
  });
});
