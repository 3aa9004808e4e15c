import { describe, expect, test, vi } from 'vitest';
import { createPipeline, type ProfileInput } from 'assize';
import { type Child, child, defineScorer, expression, type Live, type UnitClass, z } from 'assize/sdk';
import { messageOf, rankBy, scoresOf } from '../properties/ranked.js';

/** A scorer with the given meta. */
const unitOf = (facts: Partial<UnitClass['meta']>): UnitClass =>
  class {
    static readonly meta = { ...defineScorer({ summary: 'One.', params: z.strictObject({}) }), ...facts };
    compile() {
      return () => 1;
    }
  };

const boom = (): never => {
  throw new Error('boom');
};

const profileOf = (params: Record<string, unknown> = {}): ProfileInput => ({
  tier2_scorers: [{ id: 'a', class: 'One', params }],
});
const toldOf = (facts: Partial<UnitClass['meta']>, params?: Record<string, unknown>): Promise<string> =>
  messageOf(createPipeline(profileOf(params), { units: { One: unitOf(facts) } }));

describe('the meta of a unit', () => {
  test('that throws is a problem of the unit, at its entry', async () => {
    expect(await toldOf({ range: boom, scope: boom })).toMatchInlineSnapshot(`
      "AssizeError: tier2_scorers[0] error ASZ305 the scope of One is not known: boom
      tier2_scorers[0] error ASZ305 the range of One is not known: boom
      2 problems"
    `);
    expect(await toldOf({ params: z.strictObject({}).refine(boom) })).toMatchInlineSnapshot(
      `"AssizeError: tier2_scorers[0].params error ASZ305 the params of One cannot be checked: boom"`,
    );
  });

  test.each([
    [[1, 0], '[1, 0]'],
    [[0, Number.NaN], '[0, NaN]'],
    [[0], '[0]'],
    [[0, 1, 2], '[0, 1, 2]'],
    ['0 to 1', 'the string "0 to 1"'],
    [() => ({ most: 1 }), 'a map'],
  ])('needs a range of two numbers, not %j', async (range, found) => {
    const said = 'the range of One is not known: expected two numbers [least, most] in ascending order, found';
    const facts = { range } as unknown as Partial<UnitClass['meta']>;
    expect(await toldOf(facts)).toContain(`tier2_scorers[0] error ASZ305 ${said} ${found}`);
  });

  test('that throws in a measure or a veto is reported too', async () => {
    const units = { One: unitOf({ scope: boom }) };
    const message = await messageOf(createPipeline({ measures: [{ id: 'm', class: 'One' }] }, { units }));
    expect(message).toContain('measures[0] error ASZ305 the scope of One is not known: boom');
  });

  test.each([[{}], [{ scorers: 'x' }]])('CompositeScorer with params %j is a problem, not a crash', async (params) => {
    const profile = { tier2_scorers: [{ id: 'c', class: 'CompositeScorer', params }] };
    expect(await messageOf(createPipeline(profile))).toContain('AssizeError');
  });
});

describe('params', () => {
  test('an expression in params has the codes of an expression', async () => {
    const params = z.strictObject({ test: expression({ want: 'bool' }) });
    expect(await toldOf({ params }, { test: 'candidate.a >' })).toContain('error ASZ401 ');
    expect(await toldOf({ params }, { test: 'measures.a > 1' })).toMatchInlineSnapshot(`
      "AssizeError: tier2_scorers[0].params.test error ASZ402 unknown name "measures" in a param
        measures is available in measures, Tier 2, the formula, rules and select"
    `);
  });

  test('valid and invalid params are checked together', async () => {
    const params = z.strictObject({ first: child(), rest: z.strictObject({ other: child(), most: z.number() }) });
    const message = await toldOf({ params }, { first: { class: 'Nope' }, rest: { other: { expr: '1 +' }, most: 'x' } });
    expect(message).toContain('params.first.class error ASZ301');
    expect(message).toContain('params.rest.other.expr error ASZ401');
    expect(message).toContain('params.rest.most error ASZ202');
  });

  test('children of another copy of the library are recognised', async () => {
    vi.resetModules();
    const other = await import('assize/sdk');
    class Half {
      static readonly meta = other.defineScorer({ summary: 'Half.', params: z.strictObject({ of: other.child() }) });
      compile(params: { of: Child }, live: Live) {
        const score = live.child(params.of);
        return (candidate: unknown, index: number) => (score(candidate, index) ?? 0) / 2;
      }
    }
    const tier2_scorers = [{ id: 'a', class: 'Half', params: { of: { expr: 'candidate.n' } } }];
    const ranking = await rankBy({ tier2_scorers }, [{ id: 'x', n: 3 }], {}, { units: { Half } });
    expect(scoresOf(ranking)).toEqual({ x: 1.5 });
  });
});
