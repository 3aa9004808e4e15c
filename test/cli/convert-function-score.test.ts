/* A function_score, converted: the same scores as an interpreter of the query in this file. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Conversion, draftYaml } from '../../src/cli/convert/draft.js';
import { convertFunctionScore } from '../../src/cli/convert/function-score.js';
import { createPipeline } from '../../src/index.js';

type Doc = Readonly<Record<string, unknown>>;
// oxlint-disable-next-line no-explicit-any -- the generators make valid queries, which the interpreter reads freely
type Json = Readonly<Record<string, any>>;

const NOW = Date.UTC(2026, 5, 1);
const DAY = 86_400_000;

const convert = (request: object) => {
  const conversion = new Conversion(request);
  return { yaml: draftYaml(convertFunctionScore(conversion, '_score'), 'search'), problems: conversion.problems };
};

/** The scores of documents by the converted profile; undefined for one that is refused or not selected. */
async function scoresOf(request: object, docs: readonly Doc[]): Promise<readonly (number | undefined)[]> {
  const pipeline = await createPipeline({ yaml: convert(request).yaml, name: 'search.yaml' });
  const ranking = await pipeline.rank(docs, { now: NOW });
  const found = new Map(ranking.selected.map((row) => [row.index, row.score]));
  return docs.map((_, index) => found.get(index) ?? undefined);
}

const valuesOf = (doc: Doc, field: string): readonly Json[string][] => {
  const value = doc[field.replace('.keyword', '')];
  return value === undefined || value === null ? [] : Array.isArray(value) ? value : [value];
};

/** Whether a document matches a query, as the reference of Elasticsearch says. */
function matches(doc: Doc, query: Json): boolean {
  const [kind, body] = Object.entries(query)[0]!;
  const all = (list: readonly Json[] = []) => list.every((one) => matches(doc, one));
  const [field, operand] = Object.entries(body)[0] ?? [];
  switch (kind) {
    case 'match_all':
      return true;
    case 'exists':
      return valuesOf(doc, body.field).length > 0;
    case 'term':
      return valuesOf(doc, field!).includes(operand);
    case 'terms':
      return valuesOf(doc, field!).some((value) => (operand as unknown[]).includes(value));
    case 'range': {
      const { gt = -Infinity, gte = -Infinity, lt = Infinity, lte = Infinity } = operand as Json;
      return valuesOf(doc, field!).some((value) => value > gt && value >= gte && value < lt && value <= lte);
    }
    case 'bool': {
      const { must, filter, must_not: not = [], should = [] } = body;
      const least =
        should.length === 0 || must || filter ? (body.minimum_should_match ?? 0) : (body.minimum_should_match ?? 1);
      const some = should.filter((one: Json) => matches(doc, one)).length;
      return all(must) && all(filter) && !not.some((one: Json) => matches(doc, one)) && some >= least;
    }
    default:
      throw new Error(`the test has no query ${kind}`);
  }
}

/** The number of a function; throws where Elasticsearch fails. */
function functionScore(doc: Doc, { weight = 1, ...own }: Json): number {
  const [kind, body] = Object.entries(own).find(([key]) => key !== 'filter') ?? ['weight', {}];
  if (kind === 'weight') return weight;
  if (kind === 'field_value_factor') {
    const { field, factor = 1, modifier = 'none', missing } = body;
    const value = (valuesOf(doc, field)[0] ?? missing) * factor;
    const result = {
      none: value,
      log1p: Math.log10(value + 1),
      log2p: Math.log10(value + 2),
      ln1p: Math.log1p(value),
      ln2p: Math.log(value + 2),
      square: value ** 2,
      sqrt: Math.sqrt(value),
      reciprocal: 1 / value,
    }[modifier as 'none'];
    return weight * result;
  }
  const { multi_value_mode: mode = 'min', ...fields } = body;
  const [field, { origin, scale, offset = 0, decay = 0.5 }] = Object.entries<Json>(fields)[0]!;
  const isTime = typeof scale === 'string';
  const unit = (value: string | number) => (typeof value === 'string' ? Number.parseFloat(value) * DAY : value);
  const start = isTime ? (origin === 'now' ? NOW : Date.parse(origin)) : origin;
  const distances = valuesOf(doc, field).map((value) =>
    Math.max(0, Math.abs((isTime ? Date.parse(value) : value) - start) - unit(offset)),
  );
  const sum = distances.reduce((total, one) => total + one, 0);
  const chosen = { min: Math.min(...distances), max: Math.max(...distances), sum, avg: sum / distances.length };
  const distance = distances.length === 0 ? 0 : chosen[mode as 'min'];
  const width = unit(scale);
  if (kind === 'gauss') return weight * Math.exp(-(distance ** 2) / (2 * (-(width ** 2) / (2 * Math.log(decay)))));
  if (kind === 'exp') return weight * Math.exp((Math.log(decay) / width) * distance);
  const zero = width / (1 - decay);
  return weight * Math.max(0, (zero - distance) / zero);
}

/** The score of a document; undefined if it does not match. */
function reference(doc: Doc, { query = { match_all: {} }, ...request }: Json): number | undefined {
  if (!matches(doc, query)) return undefined;
  const kind = Object.keys(query)[0];
  const queryScore = (request.boost ?? 1) * (kind === 'match_all' ? 1 : kind === 'bool' ? 0 : Number(doc['_score']));
  const { functions, score_mode: mode = 'multiply', boost_mode: boostMode = 'multiply' } = request;
  const applied = functions.filter((one: Json) => one.filter === undefined || matches(doc, one.filter));
  const values: number[] = applied.map((one: Json) => functionScore(doc, one));
  const weights: number = applied.reduce((total: number, { weight = 1 }: Json) => total + weight, 0);
  let factor = 1;
  // Elasticsearch reads a filter of match_all as none.
  const isSingle = functions.length === 1 && (functions[0].filter ?? { match_all: {} }).match_all !== undefined;
  if (isSingle || (mode === 'first' && values.length > 0)) factor = values[0]!;
  else if (mode === 'multiply') factor = values.reduce((product, one) => product * one, 1);
  else if (mode === 'max' && values.length > 0) factor = Math.max(...values);
  else if (mode === 'min' && values.length > 0) factor = Math.min(...values);
  else if ((mode === 'sum' || mode === 'avg') && weights !== 0) {
    const total = values.reduce((sum, one) => sum + one, 0);
    factor = mode === 'avg' ? total / weights : total;
  }
  const boosted = Math.min(factor, request.max_boost ?? 3.4028235e38);
  const score = {
    multiply: queryScore * boosted,
    replace: boosted,
    sum: queryScore + boosted,
    avg: (queryScore + boosted) / 2,
    max: Math.max(queryScore, boosted),
    min: Math.min(queryScore, boosted),
  }[boostMode as 'sum'];
  return request.min_score !== undefined && score < request.min_score ? undefined : score;
}

const optional = <T>(arb: fc.Arbitrary<T>) => fc.option(arb, { nil: undefined });
const amount = fc.constantFrom(0, 0.5, 1, 2, 3.7, 10);
const tag = fc.constantFrom('a', 'b', 'c');

const docs = fc.array(
  fc.record({
    _score: amount,
    likes: optional(amount),
    price: optional(fc.constantFrom(-4, 0, 1, 2.5, 10, 100)),
    prices: optional(fc.array(fc.constantFrom(0, 1, 5, 20), { minLength: 1, maxLength: 3 })),
    tags: optional(fc.oneof(tag, fc.array(tag, { maxLength: 3 }))),
    sold: optional(fc.boolean()),
    added: optional(fc.constantFrom('2026-06-01', '2026-05-25', '2026-07-01', '2020-01-01')),
  }),
  { minLength: 1, maxLength: 8 },
);

const leaf: fc.Arbitrary<object> = fc.oneof(
  fc.record({
    term: fc.oneof(
      fc.record({ tags: tag }),
      fc.record({ sold: fc.boolean() }),
      fc.record({ price: fc.constantFrom(1, 10) }),
    ),
  }),
  fc.record({ terms: fc.record({ 'tags.keyword': fc.array(tag, { minLength: 1, maxLength: 2 }) }) }),
  fc.record({ range: fc.record({ price: fc.record({ gte: fc.constantFrom(0, 1), lt: fc.constantFrom(10, 1000) }) }) }),
  fc.record({ exists: fc.record({ field: fc.constantFrom('tags', 'added', 'likes') }) }),
);
const list = fc.array(leaf, { minLength: 1, maxLength: 2 });
const filter: fc.Arbitrary<object> = fc.oneof(
  leaf,
  fc.constant({ match_all: {} }),
  fc.record({ bool: fc.record({ filter: list, must_not: list }, { requiredKeys: [] }) }),
  fc.record({ bool: fc.record({ should: list, minimum_should_match: fc.constantFrom(1, 2) }) }),
  fc.record({ bool: fc.record({ should: list }) }),
);

const decay = (field: string, params: fc.Arbitrary<object>) =>
  fc.tuple(fc.constantFrom('gauss', 'exp', 'linear'), params).map(([kind, one]) => ({ [kind]: { [field]: one } }));
const share = fc.constantFrom(0.1, 0.5, 0.9);
const kinds: fc.Arbitrary<object> = fc.oneof(
  fc.record({
    field_value_factor: fc.record(
      {
        field: fc.constant('likes'),
        missing: fc.constantFrom(1, 2),
        factor: fc.constantFrom(1, 1.2, 3),
        modifier: fc.constantFrom('none', 'log1p', 'log2p', 'ln1p', 'ln2p', 'square', 'sqrt'),
      },
      { requiredKeys: ['field', 'missing'] },
    ),
  }),
  decay(
    'price',
    fc.record(
      { origin: fc.constantFrom(0, -2, 5), scale: fc.constantFrom(1, 7.5), offset: amount, decay: share },
      { requiredKeys: ['origin', 'scale'] },
    ),
  ),
  decay(
    'added',
    fc.record(
      {
        origin: fc.constantFrom('now', '2026-05-20'),
        scale: fc.constantFrom('10d', '365d'),
        offset: fc.constantFrom('0d', '5d'),
        decay: share,
      },
      { requiredKeys: ['origin', 'scale'] },
    ),
  ),
  fc.constantFrom('min', 'max', 'sum', 'avg').map((mode) => ({
    exp: { prices: { origin: 5, scale: 10 }, multi_value_mode: mode },
  })),
);
const anyFunction: fc.Arbitrary<object> = fc.oneof(
  fc.record({ weight: amount, filter }, { requiredKeys: ['weight'] }),
  fc
    .tuple(kinds, fc.record({ weight: amount, filter }, { requiredKeys: [] }))
    .map(([kind, rest]) => ({ ...kind, ...rest })),
);
const modes = ['multiply', 'sum', 'avg', 'max', 'min'];
const requests = fc.record(
  {
    functions: fc.array(anyFunction, { minLength: 1, maxLength: 4 }),
    query: fc.oneof(
      fc.constant({ match_all: {} }),
      list.map((own) => ({ bool: { filter: own } })),
      fc.constant({ term: { tags: 'a' } }),
    ),
    score_mode: fc.constantFrom(...modes, 'first'),
    boost_mode: fc.constantFrom(...modes, 'replace'),
    max_boost: fc.constantFrom(1.5, 20),
    min_score: fc.constantFrom(0.25, 1),
    boost: fc.constantFrom(1, 2.5),
  },
  { requiredKeys: ['functions'] },
);

describe('a function_score', () => {
  it('gives the scores of the reference', async () => {
    await fc.assert(
      fc.asyncProperty(requests, docs, async (request, rows) => {
        const found = await scoresOf({ query: { function_score: request } }, rows);
        for (const [index, doc] of rows.entries()) {
          const wanted = reference(doc, request);
          // A score at the limit of min_score may round to either side.
          if (wanted === undefined || Math.abs(wanted - ((request as Json).min_score ?? Infinity)) < 1e-9) continue;
          expect(found[index], JSON.stringify(doc)).toBeCloseTo(wanted, 9);
        }
        const kept = rows.filter((doc) => reference(doc, request) === undefined).map((doc) => found[rows.indexOf(doc)]);
        expect(
          kept.filter((one) => one !== undefined && Math.abs(one - ((request as Json).min_score ?? 0)) > 1e-9),
        ).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });
});
