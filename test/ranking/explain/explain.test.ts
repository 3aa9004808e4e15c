/* The explanation of each possible outcome of a candidate. */
import { describe, expect, test } from 'vitest';
import {
  AssizeError,
  createPipeline,
  type Explanation,
  evaluate,
  explanationText,
  type ProfileInput,
  explanationParts,
  type ExplanationNode,
  nodesOfKind,
  scorer,
} from 'assize';
import { rankBy } from '../../properties/ranked.js';

const states = (terms: readonly { readonly id: string; readonly state: string }[]): string[] =>
  terms.map(({ id, state }) => `${id} ${state}`);

/** An explanation with its nodes by stage. */
const partsOf = (explanation: Explanation) => ({ ...explanation, ...explanationParts(explanation) });

const fieldsOf = (node: ExplanationNode | undefined) =>
  nodesOfKind(node?.details ?? [], 'field').map(({ id, value }) => [id, value]);

const problemOf = (explain: () => unknown) => {
  try {
    explain();
  } catch (error) {
    if (error instanceof AssizeError) return error.problems[0];
    throw error;
  }
  return undefined;
};

describe('vetoes', () => {
  const profile = (more: ProfileInput): ProfileInput => ({
    tier1_scorers: [
      { id: 'quiet', expr: 'candidate.nothing' },
      { id: 'later', expr: 'true', when: 'context.strict' },
      { id: 'old', class: 'ThresholdVeto', params: { value: 'age', max: 9 } },
      { id: 'odd', expr: 'candidate.age % 2 == 1' },
    ],
    tier2_scorers: [{ id: 'a', expr: 'candidate.age' }],
    adjustments: [{ id: 'r', add: 1 }],
    ...more,
  });

  test('after the first refusal no other veto is evaluated', async () => {
    const ranking = await rankBy(profile({}), [{ id: 'x', age: 11 }]);
    const { outcome, vetoes, scorers, rules, combine } = partsOf(ranking.explain('x'));
    expect(outcome).toEqual({
      kind: 'refused',
      refusal: 'veto',
      by: 'old',
      reason: '11 is above 9',
      all: [{ kind: 'veto', by: 'old', reason: '11 is above 9' }],
    });
    expect(states(vetoes)).toEqual(['quiet absent', 'later not_evaluated', 'old refused', 'odd not_evaluated']);
    expect(vetoes.map(({ text }) => text)).toEqual(['absent', 'its when is not true', '11 is above 9', 'old refused']);
    expect(fieldsOf(vetoes[2])).toEqual([['candidate.age', 11]]);
    expect([...states(scorers), ...states(rules)]).toEqual(['a not_evaluated', 'r not_evaluated']);
    expect(combine).toBeUndefined();
  });

  test('if all are evaluated, every refusal has its reason', async () => {
    const ranking = await rankBy(profile({ veto_on_first: false }), [{ id: 'x', age: 11 }]);
    const { outcome, vetoes } = partsOf(ranking.explain('x'));
    expect(outcome).toMatchObject({ by: 'old', all: [{ by: 'old' }, { by: 'odd', reason: 'candidate.age % 2 == 1' }] });
    expect(states(vetoes)).toEqual(['quiet absent', 'later not_evaluated', 'old refused', 'odd refused']);
  });
});

describe('scorers', () => {
  test('show their weights and rules', async () => {
    const units = {
      Bad: scorer(() => {
        throw new Error('boom');
      }),
    };
    const tier2_scorers: ProfileInput['tier2_scorers'] = [
      { id: 'skipped', expr: 'candidate.none', weight: 2 },
      { id: 'stood_in', expr: 'candidate.none', on_absent: 0.5 },
      { id: 'broken', class: 'Bad', on_error: 0.25 },
      {
        id: 'clamped',
        class: 'OutcomeScorer',
        params: { value: 'v', success: 'ok' },
        out_of_range: 'clamp',
        weight: 'context.w',
      },
      { id: 'out', expr: '1.0', when: 'false' },
    ];
    const ranking = await rankBy({ tier2_scorers }, [{ id: 'x', v: 7, ok: true }], { w: 4 }, { units });
    const { scorers, combine } = partsOf(ranking.explain('x'));
    const seen = scorers.map(({ id, state, raw, value, rule, written }) => [id, state, raw, value, rule, written]);
    expect(seen).toEqual([
      ['skipped', 'absent', undefined, undefined, 'on_absent: skip', 2],
      ['stood_in', 'absent', undefined, 0.5, 'on_absent: 0.5', 1],
      ['broken', 'failed', undefined, 0.25, 'on_error: 0.25', 1],
      ['clamped', 'scored', 7, 1, 'out_of_range: clamp', 'context.w'],
      ['out', 'not_evaluated', undefined, undefined, undefined, undefined],
    ]);
    expect(scorers[2]?.error).toBe('boom');
    expect(combine).toMatchObject({ id: 'weighted_mean', present: 3, of: 4, scale: 8 / 6 });
    const sum = scorers.reduce((total, { contribution = 0 }) => total + contribution, 0);
    expect(sum).toBeCloseTo(combine?.value ?? Number.NaN, 12);
  });

  test('contain the entries inside them, with their own weights, notes and fields', async () => {
    const scaled = { class: 'ScaledScorer', params: { scorer: { expr: 'candidate.n' } } };
    const params = { scorers: [{ expr: 'candidate.none', weight: 2, on_absent: 0.5 }, scaled] };
    const ranking = await rankBy({ tier2_scorers: [{ id: 'c', class: 'CompositeScorer', params }] }, [
      { id: 'x', n: 1 },
      { id: 'y', n: 3 },
    ]);
    const [term] = explanationParts(ranking.explain('y')).scorers;
    const entries = nodesOfKind(term?.details ?? [], 'entry');
    expect(entries).toMatchObject([
      { unit: 'candidate.none', state: 'absent', value: 0.5, weight: 2, rule: 'on_absent: 0.5' },
      { unit: 'ScaledScorer', state: 'scored', raw: 1, weight: 1, text: '3 between 1 and 3' },
    ]);
    const [inner] = nodesOfKind(entries[1]?.details ?? [], 'entry');
    expect(inner).toMatchObject({ unit: 'candidate.n', raw: 3 });
    expect(fieldsOf(inner)).toEqual([['candidate.n', 3]]);
  });

  test('that refuse leave the later ones not evaluated', async () => {
    const scorers = [{ expr: 'candidate.none', on_absent: 'refuse' }];
    const tier2_scorers = [
      { id: 'first', expr: '1.0' },
      { id: 'c', class: 'CompositeScorer', params: { scorers } },
      { id: 'last', expr: '1.0' },
    ];
    const ranking = await rankBy({ tier2_scorers }, [{ id: 'x' }]);
    const { outcome, scorers: terms } = partsOf(ranking.explain('x'));
    expect(outcome).toMatchObject({ kind: 'refused', refusal: 'absent', by: 'c' });
    expect(states(terms)).toEqual(['first scored', 'c absent', 'last not_evaluated']);
    expect(terms[1]?.details).toMatchObject([{ kind: 'entry', state: 'absent', rule: 'on_absent: refuse' }]);
  });

  test('of a case name it', async () => {
    const profile: ProfileInput = {
      tier2_scorers: [
        { id: 'a', expr: '1.0' },
        { id: 'b', expr: '0.0' },
      ],
      weights: { by: 'candidate.kind', cases: { k: { a: 3 } } },
    };
    const ranking = await rankBy(profile, [{ id: 'x', kind: 'k' }, { id: 'y' }]);
    expect(explanationParts(ranking.explain('x')).scorers[0]).toMatchObject({
      written: 3,
      case: 'k',
      share: 0.75,
      weight: 0.75,
    });
    expect(explanationParts(ranking.explain('y')).scorers[0]).toMatchObject({ written: 1, share: 0.5 });
    expect(explanationParts(ranking.explain('y')).scorers[0]).not.toHaveProperty('case');
  });
});

describe('rules', () => {
  test('show each operation, and rules that did not fire', async () => {
    const profile: ProfileInput = {
      tier2_scorers: [{ id: 'a', expr: 'candidate.a' }],
      adjustments: [
        { id: 'lift', when: 'scores.a > 0', add: 'candidate.a / 2', max: 1 },
        { id: 'idle', when: 'score > 9', set: 0 },
      ],
    };
    const { rules } = partsOf((await rankBy(profile, [{ id: 'x', a: 0.5 }])).explain('x'));
    expect(rules[0]).toMatchObject({
      state: 'fired',
      when: 'scores.a > 0',
      details: [
        { id: 'add', amount: 0.25, value: 0.75, text: '+ 0.25', from: 'candidate.a / 2' },
        { id: 'max', amount: 1, value: 0.75 },
        { id: 'scores.a', value: 0.5 },
        { id: 'candidate.a', value: 0.5 },
      ],
    });
    expect(rules[1]).toMatchObject({ state: 'not_fired', value: 0.75 });
    expect(nodesOfKind(rules[1]?.details ?? [], 'step')).toEqual([]);
  });

  test('that refuse have a reason, and the later ones are not evaluated', async () => {
    const profile: ProfileInput = {
      tier2_scorers: [{ id: 'a', expr: '1.0' }],
      adjustments: [
        { id: 'never', multiply: { table: { rude: 0 }, by: ['candidate.tone'], zero: 'refuse' } },
        { id: 'after', add: 1 },
      ],
    };
    const { outcome, rules } = partsOf((await rankBy(profile, [{ id: 'x', tone: 'rude' }])).explain('x'));
    expect(outcome).toMatchObject({ kind: 'refused', by: 'never', reason: 'the factor of never is 0' });
    expect(states(rules)).toEqual(['never refused', 'after not_evaluated']);
  });
});

describe('the outcome', () => {
  const select: ProfileInput = {
    candidate: { pinned: 'candidate.keep' },
    tier1_scorers: [{ id: 'v', expr: 'candidate.bad' }],
    tier2_scorers: [{ id: 'a', expr: 'candidate.a' }],
    select: { duplicates: 'candidate.k', min_score: 0.2, top: 1 },
  };
  const list = [
    { id: 'best', a: 0.9, k: 1 },
    { id: 'twin', a: 0.8, k: 1 },
    { id: 'next', a: 0.7 },
    { id: 'low', a: 0.1 },
    { id: 'kept', keep: true },
  ];

  test.each([
    ['best', { kind: 'ranked', score: 0.9, rank: 1, of: 4, selected: 'score' }],
    [
      'twin',
      {
        kind: 'ranked',
        rank: 2,
        notSelected: { reason: 'duplicate', text: 'duplicate of a better candidate', replacedBy: ['best'] },
      },
    ],
    ['next', { kind: 'ranked', rank: 3, notSelected: { reason: 'top', text: 'below the top' } }],
    ['low', { kind: 'ranked', rank: 4, notSelected: { reason: 'min_score', text: 'scored below min_score' } }],
    ['kept', { kind: 'pinned', selected: 'pinned' }],
  ])('%s', async (id, outcome) => {
    const ranking = await rankBy<object>(select, list);
    const explanation = ranking.explain(id);
    expect(explanation.outcome).toMatchObject(outcome);
    expect(explanation.outcome.selected !== undefined).toBe(id === 'best' || id === 'kept');
    expect(evaluate(explanation)).toBe(explanation.outcome.kind === 'ranked' ? explanation.outcome.score : undefined);
  });

  test('a pinned candidate was vetted and not scored', async () => {
    const { vetoes, scorers } = partsOf((await rankBy<object>(select, list)).explain('kept'));
    expect([...states(vetoes), ...states(scorers)]).toEqual(['v absent', 'a not_evaluated']);
    expect(scorers[0]?.text).toBe('it is pinned');
  });

  test('a vetoed fallback, and a generated one', async () => {
    const tier1_scorers = [{ id: 'v', expr: 'true' }];
    const vetoed = await rankBy({ tier1_scorers, fallback: [{ use: 'x' }] }, [{ id: 'x' }]);
    expect(vetoed.explain('x').outcome).toMatchObject({ kind: 'refused', by: 'v', selected: 'fallback' });
    const made = await rankBy({ tier1_scorers, strategies: [{ id: 's' }], fallback: [{ use: 's' }] }, [{ id: 'x' }]);
    for (const { id, index, outcome, vetoes } of [made.explain('s/s'), made.explain({ index: -1 })].map(partsOf)) {
      expect({ id, index, outcome }).toEqual({ id: 's/s', index: -1, outcome: { kind: 'made', selected: 'fallback' } });
      expect(states(vetoes)).toEqual(['v not_evaluated']);
    }
  });

  test('a vetoed fallback that its strategy generated again', async () => {
    const pipeline = await createPipeline({
      tier1_scorers: [{ id: 'v', expr: 'true' }],
      strategies: [{ id: 'r' }, { id: 's' }],
      fallback: [{ use: 's' }],
    });
    const ranking = await pipeline.rank();
    const said = ranking.explain('s/s');
    expect(said).toMatchObject({ index: 1, outcome: { kind: 'refused', by: 'v', selected: 'fallback' } });
    expect(said).not.toHaveProperty('sameId');
    expect(explanationText(said)).toMatch(/^s\/s: refused by v, selected as a fallback /);
    expect(ranking.explain('r/r').outcome).not.toHaveProperty('selected');
    expect(ranking.explain({ index: -1 })).toMatchObject({ id: 's/s', outcome: { kind: 'made' } });
  });

  test('unscored', async () => {
    const ranking = await rankBy({ tier2_scorers: [{ id: 'a', expr: 'candidate.none' }] }, [{ id: 'x' }]);
    const { outcome, combine } = partsOf(ranking.explain('x'));
    expect(outcome).toMatchObject({ refusal: 'unscored', by: 'combine', reason: 'no scorer returned a score' });
    expect(combine).toMatchObject({ present: 0, of: 1, refusal: 'unscored' });
  });
});

describe('the explained candidate', () => {
  const profile: ProfileInput = { tier2_scorers: [{ id: 'a', expr: 'candidate.a' }] };
  const list = [{ id: 'compass', a: 1 }, { id: 'twin', a: 2 }, { id: 'twin', a: 3 }, { a: 4 }];

  test('is the first of several with one id, with a note, or any by position', async () => {
    const ranking = await rankBy<object>(profile, list);
    expect(ranking.explain('twin')).toMatchObject({ index: 1, sameId: 2 });
    expect(ranking.explain({ index: 2 })).toMatchObject({ id: 'twin', index: 2, sameId: 2 });
    expect(ranking.explain('@3')).toMatchObject({ index: 3 });
    expect(ranking.explain('@3')).not.toHaveProperty('sameId');
  });

  test('must exist', async () => {
    const ranking = await rankBy<object>(profile, list);
    expect(problemOf(() => ranking.explain('compas'))).toMatchObject({
      code: 'ASZ504',
      message: 'no candidate has the id compas',
      hint: 'did you mean compass?',
    });
    for (const index of [4, -1, 0.5, Number.NaN])
      expect(problemOf(() => ranking.explain({ index }))).toMatchObject({ code: 'ASZ504', hint: 'expected 0 to 3' });
  });
});

describe('a candidate that changed since it was ranked', () => {
  const profile: ProfileInput = {
    tier1_scorers: [{ id: 'v', expr: 'candidate.bad' }],
    measures: [{ id: 'm', expr: 'candidate.m' }],
    tier2_scorers: [{ id: 'a', expr: 'candidate.a', on_error: 'fail' }],
  };

  test.each([
    ['its score', { a: 2 }, 'its score was 1 and is 2'],
    ['a measure', { m: 5 }, 'm was 0 and is 5'],
    ['it is refused now', { bad: true }, 'v now refuses it: candidate.bad'],
    ['it fails now', { a: 'x' }, 'a fails: '],
  ])('%s', async (_, change, how) => {
    const candidate = { id: 'x', a: 1, m: 0, bad: false };
    const ranking = await rankBy<object>(profile, [candidate]);
    Object.assign(candidate, change);
    const problem = problemOf(() => ranking.explain('x'));
    expect(problem?.code).toBe('ASZ503');
    expect(problem?.message).toContain(`candidate x has changed since it was ranked: ${how}`);
  });

  test('is not refused any more', async () => {
    const candidate = { id: 'x', a: 1, m: 0, bad: true };
    const ranking = await rankBy<object>(profile, [candidate]);
    candidate.bad = false;
    expect(problemOf(() => ranking.explain('x'))?.message).toContain('v refused it and no longer does');
    expect(ranking.refused[0]?.reason).toBe('candidate.bad'); // the reason of the run
  });
});

describe('evaluating', () => {
  const of = async (formula: string, candidate: object, context = {}): Promise<Explanation> => {
    const profile: ProfileInput = {
      measures: [{ id: 'm', expr: 'candidate.m' }],
      tier2_scorers: [{ id: 'a', expr: 'candidate.a' }],
      combine: { formula },
    };
    return (await rankBy<object>(profile, [{ id: 'x', a: 2, m: 3, ...candidate }], context)).explain('x');
  };

  test.each([
    ['a * measures.m + candidate.deep["odd key"][1]', { deep: { 'odd key': [0, 4] } }, {}, 10],
    ['context.plan.bonus + a', {}, { plan: { bonus: 0.5 } }, 2.5],
    ['candidate.tags.exists(t, t == "x") ? a : -a', { tags: ['x'] }, {}, 2],
    ['has(candidate.none) ? 0.0 : a', {}, {}, 2],
    ['double(size(candidate.text)) * a', { text: 'y'.repeat(1000) }, {}, 2000],
  ])('%s', async (formula, candidate, context, score) => {
    const explanation = await of(formula, candidate, context);
    expect(evaluate(explanation)).toBe(score);
  });

  test('a formula is computed from its inputs', async () => {
    const explanation = await of('a * measures.m', {});
    const combine = explanationParts(explanation).combine!;
    expect(fieldsOf(combine)).toEqual([
      ['a', 2],
      ['measures.m', 3],
    ]);
    const values: Record<string, number> = { a: 5, 'measures.m': 7 };
    const changed = combine.details.map((node) =>
      node.kind === 'field' ? { ...node, value: values[node.id] ?? 0 } : node,
    );
    const details = explanation.details.map((node) => (node.kind === 'combine' ? { ...node, details: changed } : node));
    expect(evaluate({ ...explanation, details })).toBe(35);
  });
});

test('asking why teaches no memory', async () => {
  const params = { text: 't', embedder: { name: 'lexical' } };
  const profile: ProfileInput = { tier2_scorers: [{ id: 'n', class: 'NoveltyScorer', params, on_absent: 0.5 }] };
  const pipeline = await createPipeline<object>(profile);
  const ranking = await pipeline.rank([{ id: 'x', t: 'cats sleep' }]);
  ranking.explain('x');
  const again = await pipeline.rank([{ id: 'y', t: 'dogs run' }]);
  expect(explanationParts(again.explain('y')).scorers[0]?.details[0]).toMatchObject({ id: 'seen', data: { seen: 1 } });
});

test('what has no form in JSON is described, and small', async () => {
  const circle: Record<string, unknown> = {};
  circle['self'] = circle;
  const when = new Date('2026-01-01T00:00:00Z');
  const expr = 'size([candidate.circle, candidate.at, candidate.long, candidate.big, candidate.nan]) + 0.0';
  const ranking = await rankBy<object>({ tier2_scorers: [{ id: 'a', expr }] }, [
    { id: 'x', circle, at: when, long: Array.from({ length: 50 }, (_, i) => i), big: 'b'.repeat(500), nan: Number.NaN },
  ]);
  const explanation = ranking.explain('x');
  const reads = Object.fromEntries(
    nodesOfKind(explanationParts(explanation).scorers[0]!.details, 'field').map(({ id, value, summary }) => [
      id,
      value ?? summary,
    ]),
  );
  expect(reads).toMatchObject({
    'candidate.at': '2026-01-01T00:00:00.000Z',
    'candidate.long': 'a list of 50',
    'candidate.big': 'a text of 500 characters',
    'candidate.nan': 'NaN',
  });
  expect(JSON.parse(JSON.stringify(explanation))).toStrictEqual(explanation);
});
