import * as fc from 'fast-check';
import type { ProfileInput } from 'assize';

/** A row: `a` and `n` are numbers, `s` and `t` strings, the others of any type. */
export interface Row {
  readonly id: number;
  readonly a: number | null;
  readonly n: number | null;
  readonly s: string | null;
  readonly t: string | null;
  readonly b?: unknown;
  readonly f?: unknown;
  readonly m?: unknown;
}

const NUMBERS = [0, -0, 1, 2, 3, -1, 0.1, 0.2, 0.3, 0.1 + 0.2, 1 / 3, 0.5, 10, 100, 1e-7, 12345.678, 1e21, -2.5];
const EXTREMES = [2 ** 53, 2 ** 53 + 2, 1e300, -1e308, 5e-324, 1e-200, 123456789012345680000];
const TEXTS = [
  '',
  'a',
  'b',
  'A',
  'ab',
  'é',
  '😀',
  '\u{10FFFF}',
  '\uE000',
  "it's",
  'a"b',
  'back\\slash',
  'İ',
  '12',
  'true',
  'null',
];
const TIMES = [
  '2011-01-31',
  '2011-02-29',
  '2012-02-29',
  '1999-12-31T23:59:59Z',
  '2011-01-31T12:00:00.123Z',
  '2011-01-31T12:00+02:00',
  'soon',
  '1e3',
];

const number = fc.oneof(
  { weight: 16, arbitrary: fc.constantFrom(...NUMBERS) },
  { weight: 5, arbitrary: fc.double({ min: -100, max: 100, noNaN: true }) },
  { weight: 1, arbitrary: fc.constantFrom(...EXTREMES) },
);
const orNull = <V>(value: fc.Arbitrary<V>): fc.Arbitrary<V | null> => fc.option(value, { nil: null, freq: 6 });
const anything = fc.oneof(
  { weight: 20, arbitrary: number },
  { weight: 2, arbitrary: fc.boolean() },
  { weight: 2, arbitrary: fc.constantFrom(...TEXTS) },
  { weight: 1, arbitrary: fc.constantFrom<unknown>(null, [], [1], {}, { x: 1 }) },
);

const row = fc.record({
  a: orNull(
    fc.oneof(
      { weight: 30, arbitrary: number },
      { weight: 1, arbitrary: fc.constantFrom(Number.NaN, Infinity, -Infinity) },
    ),
  ),
  n: orNull(fc.oneof(fc.integer({ min: -5, max: 5 }), fc.constantFrom(2 ** 53, -(2 ** 60), 9007199254740992))),
  s: orNull(fc.constantFrom(...TEXTS)),
  t: orNull(fc.constantFrom(...TIMES)),
  b: fc.option(anything, { nil: undefined, freq: 8 }),
  f: fc.option(fc.oneof({ weight: 8, arbitrary: fc.boolean() }, { weight: 1, arbitrary: anything }), {
    nil: undefined,
  }),
  m: fc.option(fc.oneof({ weight: 6, arbitrary: fc.record({ 'x y': anything }) }, { weight: 1, arbitrary: anything }), {
    nil: undefined,
  }),
});

/** Few different rows, many times: there are ties. */
export const rows: fc.Arbitrary<readonly Row[]> = fc
  .array(row, { minLength: 1, maxLength: 8 })
  .chain((some) => fc.array(fc.constantFrom(...some), { minLength: 1, maxLength: 24 }))
  .map((all) => all.map((one, id): Row => ({ id, ...one })));

const NUMERIC_FIELDS = [
  'candidate.a',
  'candidate.a',
  'candidate.n',
  'candidate.b',
  'candidate.m["x y"]',
  'candidate.missing',
  'half',
];
/** Names that every profile gives. */
const NAMED = { half: 'candidate.a / 2', big: 'candidate.n > 1 || candidate.f', tidy: 'candidate.?s.orValue("b")' };
const literal = fc.constantFrom(
  '0',
  '1',
  '2',
  '0.1',
  '0.3',
  '(-1)',
  '10.5',
  '1e6',
  '(0.1 + 0.2)',
  '(1 / 3)',
  'context.k',
  'now / 1e12',
);

const expressions = fc.letrec<{ number: string; bool: string; text: string }>((tie) => ({
  number: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    { weight: 5, arbitrary: fc.constantFrom(...NUMERIC_FIELDS) },
    { weight: 3, arbitrary: literal },
    {
      weight: 4,
      arbitrary: fc
        .tuple(tie('number'), fc.constantFrom('+', '-', '*', '/'), tie('number'))
        .map(([x, by, y]) => `(${x} ${by} ${y})`),
    },
    { weight: 1, arbitrary: fc.tuple(tie('number'), tie('number')).map(([x, y]) => `(${x} % ${y})`) },
    {
      weight: 3,
      arbitrary: fc
        .tuple(fc.constantFrom('abs', 'floor', 'ceil', 'sqrt', 'exp', 'ln', 'log2', 'int', 'double'), tie('number'))
        .map(([f, x]) => `${f}(${x})`),
    },
    {
      weight: 2,
      arbitrary: fc
        .tuple(fc.constantFrom('min', 'max', 'pow'), tie('number'), tie('number'))
        .map(([f, x, y]) => `${f}(${x}, ${y})`),
    },
    { weight: 1, arbitrary: tie('number').map((x) => `clamp(${x}, 0, 1)`) },
    { weight: 1, arbitrary: tie('number').map((x) => `(-${x})`) },
    {
      weight: 1,
      arbitrary: fc.tuple(tie('bool'), tie('number'), tie('number')).map(([test, x, y]) => `(${test} ? ${x} : ${y})`),
    },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        'candidate.?a.orValue(0.5)',
        'candidate.?b.orValue(1)',
        'candidate.?m["x y"].orValue(2)',
      ),
    },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        'size(candidate.s)',
        'timestamp(candidate.t)',
        '(now - timestamp(candidate.t)) / 1e12',
        'timestamp(candidate.b)',
      ),
    },
  ),
  bool: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    {
      weight: 5,
      arbitrary: fc
        .tuple(tie('number'), fc.constantFrom('<', '<=', '>', '>=', '==', '!='), tie('number'))
        .map(([x, by, y]) => `(${x} ${by} ${y})`),
    },
    { weight: 2, arbitrary: fc.constantFrom('candidate.f', 'candidate.f', 'candidate.b', 'candidate.missing', 'big') },
    {
      weight: 2,
      arbitrary: fc
        .tuple(tie('bool'), fc.constantFrom('&&', '||'), tie('bool'))
        .map(([x, by, y]) => `(${x} ${by} ${y})`),
    },
    { weight: 1, arbitrary: tie('bool').map((x) => `!${x}`) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        'has(candidate.a)',
        'has(candidate.b)',
        'has(candidate.m["x y"])',
        'has(candidate.missing)',
        '(candidate.a == null)',
        '(null != candidate.b)',
        '(candidate.s == null)',
        '(candidate.m["x y"] == null)',
        '(candidate.missing == null)',
        '(context.k != null)',
        '(candidate.a + candidate.n == null)',
      ),
    },
    {
      weight: 2,
      arbitrary: fc
        .tuple(tie('text'), fc.constantFrom('==', '!='), tie('text'))
        .map(([x, by, y]) => `${x} ${by} ${y}`)
        .map((x) => `(${x})`),
    },
    {
      weight: 1,
      arbitrary: fc
        .tuple(tie('text'), fc.constantFrom('contains', 'startsWith', 'endsWith'), tie('text'))
        .map(([x, f, y]) => `${x}.${f}(${y})`),
    },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        'candidate.s in ["a", "😀", "it\'s"]',
        'candidate.n in [1, 2]',
        'candidate.b in context.list',
      ),
    },
    {
      weight: 1,
      arbitrary: fc.tuple(tie('bool'), tie('bool'), tie('bool')).map(([test, x, y]) => `(${test} ? ${x} : ${y})`),
    },
  ),
  text: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    { weight: 4, arbitrary: fc.constantFrom('candidate.s', 'candidate.s', 'candidate.b', 'candidate.t', 'tidy') },
    { weight: 2, arbitrary: fc.constantFrom(...TEXTS).map((text) => JSON.stringify(text)) },
    { weight: 1, arbitrary: tie('text').map((x) => `lower(${x})`) },
  ),
}));

/** Units that declare a formula. */
export const UNITS = [
  { class: 'DecayScorer', params: { field: 't', curve: { type: 'exponential', half_life: '365d' } } },
  {
    class: 'DecayScorer',
    params: { field: 't', curve: { type: 'linear', scale: '3650d' }, null_timestamp_score: 'abstain' },
  },
  { class: 'DecayScorer', params: { field: 't', curve: { type: 'gaussian', scale: '3650d', offset: '1d' } } },
  {
    class: 'DecayScorer',
    params: {
      field: 'b',
      curve: {
        type: 'step',
        windows: [
          { max_age: '1d', score: 1 },
          { max_age: '9000d', score: 0.4 },
        ],
      },
    },
  },
  {
    class: 'CurveScorer',
    params: {
      value: 'a',
      points: [
        [0, 0],
        [0.3, 1],
        [10, 0.2],
      ],
    },
  },
  {
    class: 'CurveScorer',
    params: {
      scorer: { expr: 'ln(candidate.a)' },
      points: [
        [-1, 0.5],
        [1, 1],
      ],
    },
  },
  { class: 'ScaledScorer', params: { scorer: { expr: 'candidate.a' }, scale: { type: 'bounds', min: 0, max: 10 } } },
  { class: 'ScaledScorer', params: { scorer: { expr: 'candidate.n' }, scale: { type: 'logistic', midpoint: 1 } } },
  { class: 'ScaledScorer', params: { scorer: { expr: 'candidate.b' }, scale: { type: 'log', full: 10 } } },
  { class: 'LinearScorer', params: { weights: { a: 0.3, n: -1 }, missing: 0.1 } },
  { class: 'OutcomeScorer', params: { value: 'a', success: 'f' } },
  { class: 'CompositeScorer', params: { scorers: [{ expr: 'candidate.a', weight: 2 }, { expr: 'candidate.n' }] } },
];
const units = fc.constantFrom(...UNITS);

const veto = fc
  .record({
    use: fc.oneof(
      { weight: 4, arbitrary: expressions.bool.map((expr) => ({ expr })) },
      { weight: 1, arbitrary: fc.constant({ class: 'ThresholdVeto', params: { value: 'a', min: 0.1, max: 10 } }) },
    ),
    on_absent: fc.constantFrom('pass', 'refuse'),
    on_error: fc.constantFrom('refuse', 'pass'),
  })
  .map(({ use, ...rest }) => ({ ...use, ...rest }));

const scorer = fc
  .record({
    use: fc.oneof(
      { weight: 3, arbitrary: expressions.number.map((expr) => ({ expr })) },
      { weight: 1, arbitrary: units },
    ),
    on_absent: fc.constantFrom<'skip' | 'refuse' | 0 | 0.5>('skip', 'refuse', 0, 0.5),
    on_error: fc.constantFrom<'refuse' | 'skip' | 0.25>('refuse', 'skip', 0.25),
    weight: fc.constantFrom(0, 1, 2, 0.1, 0.7),
  })
  .map(({ use, ...rest }) => ({ ...use, ...rest }));

const rule = fc.oneof(
  fc.record({ when: expressions.bool, add: fc.constantFrom(0.1, -0.2) }),
  fc.record({ multiply: expressions.number, max: fc.constant(1) }),
  fc.record({ when: fc.constant('scores.s0 > 0.5'), set: fc.constant('score * 2'), min: fc.constant(0) }),
  fc.constant({ multiply: { table: { a: 0.5, ab: 0, b: 2 }, by: ['candidate.s'], missing: 1, zero: 'refuse' } }),
  fc.record({
    when: fc.oneof(expressions.bool, fc.constant('scores.s0 < 0.3'), fc.constant('score > 0.8')),
    refuse: fc.constant(true as const),
    on_absent: fc.constantFrom(undefined, 'pass' as const, 'refuse' as const),
  }),
  fc.constant({ multiply: { table: { early: { a: 0.5, b: 3 } }, by: ['context.phase', 'candidate.s'], missing: 0.9 } }),
);

const COMBINES = ['weighted_mean', 'weighted_sum', 'product', 'min', 'max'] as const;

/** A profile without `min_score`, which is chosen by the scores. */
export const profiles: fc.Arbitrary<ProfileInput> = fc
  .record({
    vetoes: fc.array(veto, { maxLength: 3 }),
    first: fc.boolean(),
    measure: fc.option(expressions.number, { nil: undefined, freq: 2 }),
    scorers: fc.array(scorer, { minLength: 1, maxLength: 4 }),
    combine: fc.constantFrom(...COMBINES),
    formula: fc.integer({ min: 0, max: 5 }),
    cases: fc.boolean(),
    rules: fc.array(rule, { maxLength: 2 }),
    top: fc.integer({ min: 0, max: 6 }),
    ties: fc.constantFrom<undefined | string[]>(undefined, undefined, ['candidate.n'], ['input']),
  })
  .map(({ vetoes, first, measure, scorers, combine, formula, cases, rules, top, ties }) => {
    const weighted = combine === 'weighted_mean' || combine === 'weighted_sum';
    const last = measure === undefined ? [] : [{ expr: 'measures.m0 / 3', on_absent: 'skip', weight: 1 }];
    const entries = [...scorers, ...last].map(({ weight, ...one }, k) => {
      return { id: `s${k}`, ...one, ...(weighted && formula > 0 && { weight: k === 0 ? 1 : weight }) };
    });
    return {
      name: 'random',
      let: NAMED,
      stats: { a: 'candidate.a', own: { of: 'half', by: 'tidy', when: '!has(candidate.n) || candidate.n < 3' } },
      veto_on_first: first,
      tier1_scorers: vetoes.map((one, k) => ({ id: `v${k}`, ...one })),
      ...(measure !== undefined && { measures: [{ id: 'm0', expr: measure }] }),
      tier2_scorers: entries,
      combine: formula === 0 ? { formula: entries.map(({ id }) => id).join(' + ') } : combine,
      ...(weighted &&
        cases &&
        formula > 0 && { weights: { by: 'candidate.s', cases: { a: { s0: 3 }, '😀': { s0: 0.2 } } } }),
      adjustments: rules.map((one, k) => ({ id: `r${k}`, ...one })),
      select: { top, ...(ties && { ties }) },
    } as unknown as ProfileInput;
  });

const more = (use: object) => (profile: ProfileInput) =>
  ({
    ...profile,
    tier2_scorers: [
      ...(profile.tier2_scorers ?? []),
      { id: 'more', ...use, on_error: 'skip', ...(profile.tier2_scorers?.[0]?.weight !== undefined && { weight: 1 }) },
    ],
  }) as unknown as ProfileInput;
const scaled = (type: string) =>
  more({ class: 'ScaledScorer', params: { scorer: { expr: 'candidate.a' }, scale: { type } } });
const selecting = (select: object) => (profile: ProfileInput) =>
  ({ ...profile, select: { ...profile.select, ...select } }) as unknown as ProfileInput;

/** Parts that make a profile compare candidates. */
const TOGETHER = [
  scaled('min_max'),
  scaled('z_score'),
  scaled('rank'),
  more({ expr: '(candidate.a - stats.a.min) / (stats.a.max - stats.a.min)' }),
  more({ expr: '(candidate.a - stats.own.mean) / stats.own.stddev + stats.own.count' }),
  more({ class: 'NoveltyScorer', params: { text: 's', embedder: { name: 'lexical', dimensions: 16 } } }),
  more({ class: 'RankFusionScorer', params: { scorers: [{ expr: 'candidate.n' }, { expr: 'candidate.a' }] } }),
  selecting({ duplicates: 'candidate.s' }),
  selecting({ per: { by: 'candidate.s', top: 1 } }),
  selecting({ top: undefined }),
  selecting({ seed: 7 }),
  (profile: ProfileInput) =>
    ({
      ...profile,
      adjustments: [...(profile.adjustments ?? []), { id: 'placed', group: 'candidate.s', add: '-place' }],
    }) as ProfileInput,
];

/** Profiles that compare candidates: SQL applies the vetoes, and the process ranks the rest as one set. */
export const setProfiles: fc.Arbitrary<ProfileInput> = fc
  .tuple(profiles, fc.constantFrom(...TOGETHER))
  .map(([profile, change]) => change(profile));

/** Scaled values: exact numbers, and approximate ones in SQL; with a default for absent values; zeros of both signs. */
const scaledScorer = fc
  .record({
    inner: fc.oneof(
      { weight: 2, arbitrary: fc.constantFrom('candidate.a', 'candidate.n', '-candidate.a', 'candidate.n * 0') },
      { weight: 1, arbitrary: fc.constantFrom('exp(candidate.a)', 'ln(candidate.a)', 'pow(2, candidate.n)') },
      { weight: 2, arbitrary: expressions.number },
    ),
    scale: fc.constantFrom<object>(
      { type: 'min_max' },
      { type: 'min_max', min_spread: 1 },
      { type: 'min_max', min_spread: 1000 },
      { type: 'max' },
      { type: 'min_max', lower: { at: 0 }, upper: { at: 2, mode: 'clip' }, reverse: true },
      { type: 'min_max', integer: 100, equal: 100, floor: 1 },
      { type: 'max', integer: 10, reverse: true },
    ),
    on_absent: fc.constantFrom<'skip' | 0.5 | -1>('skip', 0.5, -1),
  })
  .map(({ inner, scale: how, on_absent }) => ({
    class: 'ScaledScorer',
    params: { scorer: { expr: inner, on_absent }, scale: how },
  }));
const scalers = fc.oneof(
  { weight: 3, arbitrary: scaledScorer },
  {
    weight: 1,
    arbitrary: fc.tuple(scaledScorer, scaledScorer).map(([one, other]) => ({
      class: 'CompositeScorer',
      params: { scorers: [{ ...one, weight: 2 }, other, { expr: 'candidate.n' }] },
    })),
  },
);

/** Profiles that compare candidates only by scales over the batch: SQL scores these, too. */
export const scaledProfiles: fc.Arbitrary<ProfileInput> = fc
  .tuple(profiles, scalers, fc.integer({ min: 1, max: 4 }))
  .map(([profile, use, top]) => selecting({ top })(more(use)(profile)));

export const CONTEXT = { now: '2011-06-01', k: 0.3, list: [1, 2, 0.3], phase: 'early' };
