/* Every ranked score explains itself: the tree evaluates to it, and explaining changes nothing. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  createPipeline,
  type Explanation,
  type ExplanationNode,
  evaluate,
  explanationParts,
  nodesOfKind,
  type ProfileInput,
  type Ranking,
  type ScorerNode,
} from 'assize';
import { COMBINES, candidatesWith, entriesOf, FIELDS, odd, positive, readsWeights, weights } from './arbitraries.js';

const now = '2026-01-01';

type Use = { readonly class: string; readonly params: Record<string, unknown> } | { readonly expr: string };

/** Every shipped scorer, reading one field. */
const uses = (field: string): fc.Arbitrary<Use> => {
  const expr = `candidate.${field}`;
  const stars: Use = { expr: `${expr} / 4` };
  const decay = (curve: object): Use => ({
    class: 'DecayScorer',
    params: { field: 'at', curve, null_timestamp_score: 'abstain' },
  });
  return fc.constantFrom<Use>(
    stars,
    { expr: `${expr} * 1.5 + 0.25` },
    decay({ type: 'exponential', half_life: '7d' }),
    decay({ type: 'window', max_age: '30d' }),
    { class: 'ScaledScorer', params: { scorer: stars } },
    { class: 'CompositeScorer', params: { scorers: [{ ...stars, weight: 2 }, { expr: `${expr} / 2` }] } },
    { class: 'CompositeScorer', params: { scorers: [{ class: 'ScaledScorer', params: { scorer: stars } }, stars] } },
    { class: 'CountScorer', params: { items: 'steps' } },
    { class: 'ComplexityScorer', params: { items: 'steps', bonus_kind: 'a' } },
    { class: 'DiversityScorer', params: { items: 'steps', distinct: 'type' } },
    { class: 'OutcomeScorer', params: { value: field, success: 'success' } },
    { class: 'NoveltyScorer', params: { text: 'text', embedder: { name: 'lexical', dimensions: 16 } } },
  );
};

const fields = fc.oneof({ weight: 9, arbitrary: positive }, { weight: 1, arbitrary: odd });

/** Candidates with numbered fields, and the other inputs of the shipped scorers. */
const candidates = fc
  .tuple(
    candidatesWith(fields),
    fc.infiniteStream(
      fc.record(
        {
          at: fc.constantFrom('2025-12-30', '2025-06-01', 1_700_000_000_000),
          steps: fc.array(fc.record({ type: fc.constantFrom('a', 'b', 'c') }), { maxLength: 4 }),
          success: fc.boolean(),
          text: fc.constantFrom('cats sleep', 'dogs run', 'cats run', ''),
          kind: fc.constantFrom('x', 'y', 'z'),
        },
        { requiredKeys: [] },
      ),
    ),
  )
  .map(([list, more]) => list.map((candidate) => Object.assign(candidate, more.next().value)));

type Rule = NonNullable<ProfileInput['adjustments']>[number];

const adjustments: Rule[] = [
  { id: 'lift', when: 'score < 1', add: 0.1, max: 1 },
  { id: 'mark', when: 'scores.s0 > 2', multiply: 0.75, add: 'measures.m / 3' },
  { id: 'kinds', multiply: { table: { x: 0.5, y: 0 }, by: ['candidate.kind'], missing: 1, zero: 'refuse' } },
  { id: 'low', when: 'scores.s0 < 1 && score < 2', refuse: true },
  { id: 'floor', min: 'candidate.f1 / 50' },
];

const rules = fc.subarray(adjustments);
const onAbsent = fc.constantFrom<undefined | number | 'skip' | 'refuse'>(undefined, 0.5, 'skip', 'refuse');
const onError = fc.constantFrom<number | 'skip' | 'refuse'>('skip', 'refuse', 0.25);
const settling = fc.array(fc.tuple(onAbsent, onError, fc.constantFrom('warn' as const, 'clamp' as const)), {
  minLength: FIELDS,
  maxLength: FIELDS,
});

const profiles: fc.Arbitrary<ProfileInput> = fc
  .record({
    combine: fc.constantFrom(...COMBINES, 'formula' as const),
    read: fc.tuple(...Array.from({ length: FIELDS }, (_, k) => uses(`f${k}`))),
    weighted: weights,
    cased: fc.boolean(),
    settled: settling,
    rules,
    first: fc.boolean(),
  })
  .map(({ combine, read, weighted, cased, settled, rules: some, first }): ProfileInput => {
    const reads = combine !== 'formula' && readsWeights(combine);
    const entries = entriesOf(read, reads ? weighted : undefined).map((entry, k) => {
      const [absent, error, range] = settled[k]!;
      return {
        ...entry,
        on_error: error,
        out_of_range: range,
        ...(absent !== undefined && { on_absent: absent }),
        ...(k === 3 && { when: 'context.mode == "all"' }),
      };
    });
    return {
      veto_on_first: first,
      tier1_scorers: [
        { id: 'v0', expr: 'candidate.f0 > 90' },
        { id: 'v1', class: 'ThresholdVeto', params: { value: 'f1', max: 95 }, on_error: 'pass' },
      ],
      measures: [{ id: 'm', class: 'CountScorer', params: { items: 'steps' } }],
      tier2_scorers: entries,
      combine:
        combine === 'formula' ? { formula: 's0 * (1 + measures.m) + (candidate.success ? s1 : s2) / 2' } : combine,
      ...(reads && cased && { weights: { by: 'candidate.kind', cases: { x: { s0: 5, s1: 2 }, z: { s2: 0 } } } }),
      adjustments: [...some],
      select: { min_score: 0.2, top: 6 },
    };
  });

const contexts = fc.constantFrom({ now, mode: 'all' }, { now, mode: 'some' });

function expectFrozen(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  expect(Object.isFrozen(value)).toBe(true);
  for (const part of Object.values(value)) expectFrozen(part);
}

/** The same without intermediate scores. */
const leavesOf = ({ outcome, details, ...rest }: Explanation): Explanation => ({
  ...rest,
  outcome: outcome.kind === 'ranked' ? { ...outcome, score: Number.NaN } : outcome,
  details: details.map(withoutScores),
});

const withoutScores = (node: ExplanationNode): ExplanationNode => ({
  ...node,
  ...(['combine', 'rule', 'step'].includes(node.kind) && { value: Number.NaN }),
  details: node.details.map(withoutScores),
});

/** The numbers of an explanation, in the form of `Ranking.terms`. */
function termsOf(explanation: Explanation): unknown {
  const { scorers, combine, rules: applied } = explanationParts(explanation);
  const method = combine?.id ?? 'formula';
  const weightCase = scorers.find((term) => term.case !== undefined)?.case;
  const byId = (valueOf: (term: ScorerNode) => number | undefined) =>
    Object.fromEntries(scorers.map((term) => [term.id, valueOf(term) ?? null]));
  const unscored = scorers.filter(({ state }) => state !== 'scored').map(({ id, state }) => [id, state]);
  const fired = applied.filter(({ state }) => state === 'fired');
  return {
    scores: byId(({ value }) => value),
    ...(unscored.length > 0 && { states: Object.fromEntries(unscored) as unknown }),
    ...(weightCase !== undefined && { case: weightCase }),
    ...(method !== 'formula' && readsWeights(method) && { weights: byId(({ weight }) => weight) }),
    ...(!['formula', 'harmonic_mean', 'min', 'max'].includes(method) && {
      contributions: byId(({ contribution }) => contribution),
    }),
    ...(applied.length > 0 && {
      combined: combine?.value,
      rules: fired.map(({ id, details, value: score }) => {
        const steps = nodesOfKind(details, 'step').map((step) => [step.id, step.amount]);
        return { id, ...Object.fromEntries(steps), score };
      }),
    }),
  };
}

const snapshot = (ranking: Ranking<object>): string => JSON.stringify(ranking);

describe('the explanation of a candidate', () => {
  test('evaluates to exactly the ranked score, survives JSON, is frozen, and changes nothing', async () => {
    let asked = 0;
    await fc.assert(
      fc.asyncProperty(profiles, candidates, contexts, async (profile, list, context) => {
        const pipeline = await createPipeline<object>(profile, { codegen: true });
        const ranking = await pipeline.rank(list, context);
        const before = snapshot(ranking);
        for (const { index, score, rank } of ranking.ranked) {
          const explanation = ranking.explain({ index });
          expect(explanation.outcome).toMatchObject({ kind: 'ranked', score, rank });
          expect(evaluate(explanation)).toBe(score === 0 ? 0 : score);
          const copy = JSON.parse(JSON.stringify(explanation)) as Explanation;
          expect(copy).toStrictEqual(explanation);
          expect(evaluate(leavesOf(copy))).toBe(score === 0 ? 0 : score);
          expect(JSON.parse(JSON.stringify(ranking.terms({ index })))).toEqual(termsOf(copy));
          asked += 1;
          expectFrozen(explanation);
        }
        for (const { index, by, reason } of ranking.refused) {
          expect(ranking.explain({ index }).outcome).toMatchObject({ kind: 'refused', by, reason });
        }
        expect(snapshot(ranking)).toBe(before);
        // The memories of units are as without any explanation.
        const untouched = await createPipeline<object>(profile, { codegen: true });
        await untouched.rank(list, context);
        expect(snapshot(await pipeline.rank(list, context))).toBe(snapshot(await untouched.rank(list, context)));
      }),
      { numRuns: 150 },
    );
    expect(asked).toBeGreaterThan(150);
  });
});
