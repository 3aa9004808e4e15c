import { AssizeError, type createPipeline } from 'assize';

/** A value of nested lists or maps. Made in a loop: no code here may recurse over it either. */
function nested(depth: number, wrap: (inner: unknown) => unknown): unknown {
  let value: unknown = 1;
  for (let level = 0; level < depth; level++) value = wrap(value);
  return value;
}

const cyclic: Record<string, unknown> = { name: 'me' };
cyclic['self'] = cyclic;

export function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

const denied = (): never => {
  throw new Error('no access');
};
export const throwing = (target: object = {}): object =>
  new Proxy(target, { get: denied, has: denied, ownKeys: denied, getOwnPropertyDescriptor: denied });

/** Values of a field that no file can have, or must not have. */
export const VALUES: Readonly<Record<string, () => unknown>> = {
  'lists 100,000 deep': () => nested(100_000, (inner) => [inner]),
  'maps 100,000 deep': () => nested(100_000, (inner) => ({ a: inner })),
  'maps 1,000 deep': () => nested(1000, (inner) => ({ a: inner })),
  'a value that contains itself': () => cyclic,
  'a bigint': () => 10n ** 20n,
  'a list of bigints': () => [1n, 2n],
  'a revoked proxy': revoked,
  'a proxy that throws': throwing,
  'a list that throws': () => throwing([]),
  'a symbol': () => Symbol('s'),
  'a function': () => () => 1,
  'an invalid date': () => new Date(Number.NaN),
  'an object that throws when it is written': () => ({ toJSON: denied, toString: denied, valueOf: denied }),
  'an object without a prototype': () => Object.create(null) as unknown,
};

export const score = { id: 's', expr: 'candidate.s' };
const mmr = (params: object) => ({
  tier2_scorers: [score],
  select: { top: 2, diversify: { class: 'MmrSelector', params } },
});

/** Profiles that use the whole value of a field. */
export const PROFILES: Readonly<Record<string, object>> = {
  'a scorer': { tier2_scorers: [{ id: 's', expr: 'candidate.k' }] },
  'a veto': { tier1_scorers: [{ id: 'v', expr: 'candidate.k == candidate.other' }], tier2_scorers: [score] },
  'a path': { tier2_scorers: [score, { id: 'c', class: 'CountScorer', params: { items: 'k', distinct: 'a' } }] },
  'distinct()': { tier2_scorers: [{ id: 's', expr: 'candidate.s + distinct([candidate.k, candidate.k]).size()' }] },
  duplicates: { tier2_scorers: [score], select: { duplicates: 'candidate.k' } },
  groups: { tier2_scorers: [score], select: { per: { by: 'candidate.k', top: 1 } } },
  'groups and a top': { tier2_scorers: [score], select: { per: { by: 'candidate.k', top: 1 }, top: 2 } },
  'groups in a choice': {
    tier2_scorers: [score],
    select: {
      per: { by: 'candidate.k', top: 1 },
      top: 2,
      diversify: { class: 'MmrSelector', params: { fields: 'id' } },
    },
  },
  ties: { tier2_scorers: [{ id: 's', expr: '1.0' }], select: { ties: ['candidate.k'] } },
  'cases of weights': { tier2_scorers: [score], weights: { by: 'candidate.k', cases: { a: { s: 2 } } } },
  'MmrSelector by fields': mmr({ fields: 'k' }),
  'MmrSelector by texts': mmr({ text: 'k', embedder: { name: 'lexical' } }),
  'MmrSelector by vectors': mmr({ vector: 'k' }),
  CoverageSelector: {
    tier2_scorers: [score],
    select: { top: 2, diversify: { class: 'CoverageSelector', params: { topics: 'k' } } },
  },
  ids: { candidate: { id: 'k' }, tier2_scorers: [score] },
  BM25: { tier2_scorers: [score, { id: 'b', class: 'BM25Scorer', params: { fields: ['k'], query: 'query' } }] },
  'a formula': { tier2_scorers: [score], combine: { formula: 's * candidate.k' } },
  'a rule': { tier2_scorers: [score], adjustments: [{ id: 'r', when: 'candidate.k == candidate.other', add: 0.1 }] },
};

/** The failures other than problems with a code. */
export async function crashOf(work: () => unknown): Promise<string | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    if (error instanceof AssizeError) return undefined;
    return error instanceof Error
      ? `${error.name}: ${error.message}\n${error.stack?.split('\n').slice(1, 6).join('\n')}`
      : 'no error';
  }
}

type OddPipeline = Awaited<ReturnType<typeof createPipeline>>;

/** Every call that a caller can make with the candidates. */
export const CALLS: Readonly<Record<string, (pipeline: OddPipeline, candidates: object[]) => unknown>> = {
  rank: async (pipeline, candidates) => {
    const ranking = await pipeline.rank(candidates, { query: 'a' });
    void [ranking.notSelected, ranking.refused, ranking.ranked];
    void ranking.warnings;
    return ranking;
  },
  json: async (pipeline, candidates) => JSON.stringify(await pipeline.rank(candidates, {})),
  explain: async (pipeline, candidates) => {
    const ranking = await pipeline.rank(candidates, {});
    for (let index = 0; index < candidates.length; index++) JSON.stringify(ranking.explain({ index }));
  },
  compare: async (pipeline, candidates) => (await pipeline.rank(candidates, {})).compare({ index: 0 }, { index: 2 }),
  score: (pipeline, candidates) => pipeline.score(candidates[0]!, {}),
};
