import { createPipeline, type Pipeline, type PipelineOptions, type ProfileInput, scorer, veto } from 'assize';
import type { Engine, Rank } from './engine.js';
import { FIELDS, HALF_LIFE, type Item, MAX_AGE, MAX_TOKENS, NOW, TOP, WEIGHTS } from './work.js';

const FIELD_WEIGHTS = FIELDS.map((field, k) => ({ field, weight: WEIGHTS[k] ?? 0 }));
const DECAY_WEIGHT = WEIGHTS[FIELDS.length] ?? 0;
const curve = { type: 'exponential', half_life: HALF_LIFE };
const decay = { id: 'fresh', class: 'DecayScorer', weight: DECAY_WEIGHT, params: { field: 'published', curve } };
const select = { top: TOP };

const vetoes = [
  { id: 'unavailable', expr: '!candidate.available' },
  { id: 'long', expr: `candidate.tokens > ${MAX_TOKENS}` },
  { id: 'old', expr: `candidate.age > ${MAX_AGE}` },
];
const fields = FIELD_WEIGHTS.map(({ field, weight }) => ({ id: `of_${field}`, expr: `candidate.${field}`, weight }));

const rankOf = (pipeline: Pipeline<Item>): Rank => {
  return async (list) =>
    (await pipeline.rank(list, { now: NOW })).selected.map(({ index, score = 0 }) => ({ index, score }));
};

function engine(name: string, profile: ProfileInput, options?: PipelineOptions): Engine {
  const open = async (): Promise<Rank> => rankOf(await createPipeline<Item>(profile, options));
  return { name, package: 'assize', tolerance: 1e-12, open };
}

/** As profiles are usually written: expressions where they are clear, shipped classes otherwise. */
export const profile: ProfileInput = { tier1_scorers: vetoes, tier2_scorers: [...fields, decay], select };

export const assize = engine('Assize', profile);

/** Only expressions. */
export const formulas = engine('Assize, CEL formulas', {
  tier1_scorers: vetoes,
  tier2_scorers: [
    ...fields,
    { id: 'fresh', expr: `pow(2, -max(0, now - candidate.published) / ${HALF_LIFE})`, weight: DECAY_WEIGHT },
  ],
  select,
});

/** Only TypeScript functions, given in code. */
export const functions = engine(
  'Assize, functions',
  {
    tier1_scorers: ['Unavailable', 'Long', 'Old'].map((name) => ({ id: name.toLowerCase(), class: name })),
    tier2_scorers: [...FIELD_WEIGHTS.map(({ field, weight }) => ({ id: field, class: `Of_${field}`, weight })), decay],
    select,
  },
  {
    units: {
      Unavailable: veto((one: Item) => !one.available),
      Long: veto((one: Item) => one.tokens > MAX_TOKENS),
      Old: veto((one: Item) => one.age > MAX_AGE),
      Of_a: scorer((one: Item) => one.a),
      Of_b: scorer((one: Item) => one.b),
      Of_c: scorer((one: Item) => one.c),
      Of_d: scorer((one: Item) => one.d),
      Of_e: scorer((one: Item) => one.e),
      Of_f: scorer((one: Item) => one.f),
    },
  },
);

/** One scorer must see the batch before it can score: `f`, scaled over the candidates that passed the vetoes. */
export const prepared = engine('Assize, one prepared column', {
  tier1_scorers: vetoes,
  tier2_scorers: [
    ...fields.slice(0, -1),
    { id: 'of_f', class: 'ScaledScorer', weight: WEIGHTS[5], params: { scorer: { expr: 'candidate.f' } } },
    decay,
  ],
  select,
});
