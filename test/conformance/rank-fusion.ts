import { join } from 'node:path';
import { createPipeline } from 'assize';
import { packageRoot } from '../../src/base/package-root.js';
import type { Family } from './family.js';
import { readRows } from './read.js';
import { agree, type Case, type Tally } from './tally.js';

type Scores = Readonly<Record<string, number>>;

/** The runs of each query. */
interface Runs {
  readonly source: { readonly ranx: string };
  readonly runs: Readonly<Record<string, readonly Scores[]>>;
}

/** A method of ranx, and the fused scores of each query. */
interface Fused {
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>> & { readonly weights?: readonly number[] };
  readonly norm: 'min-max' | 'zmuv' | null;
  readonly expected: Readonly<Record<string, Scores>>;
}

const FILE = 'test/fixtures/rank-fusion/cases.jsonl';

/** Sums may be added in another order, and ranx divides by a deviation that it rounds differently. */
const TOLERANCE = 1e-9;

/** The methods of ranx that are another method with the weights of the scorers. */
const METHOD: Readonly<Record<string, string>> = { wsum: 'sum', w_bordafuse: 'bordafuse' };

const SCALE = { 'min-max': 'min_max', zmuv: 'z_score' } as const;

/** A profile whose only score is the fusion of the fields `r0`, `r1` and so on. */
function profileOf({ method, params: { weights, ...params }, norm }: Fused, count: number) {
  const scorers = Array.from({ length: count }, (_, n) => {
    const scorer = { expr: `candidate.r${n}` };
    const weight = weights?.[n] ?? 1;
    if (norm === null) return { ...scorer, weight };
    return { class: 'ScaledScorer', params: { scorer, scale: { type: SCALE[norm] } }, weight };
  });
  const fusion = { scorers, method: METHOD[method] ?? method, ...params };
  return {
    tier2_scorers: [{ id: 'fused', class: 'RankFusionScorer', params: fusion }],
    combine: 'weighted_sum' as const,
  };
}

/** Compares each query of each method. */
export async function rankFusionTally(): Promise<Tally> {
  const [first, ...methods] = await readRows<Runs & Fused>(join(packageRoot(), FILE));
  const cases: Case[] = [];
  for (const fused of methods) {
    const name = [fused.method, fused.norm, JSON.stringify(fused.params)].filter((part) => part && part !== '{}');
    for (const [query, runs] of Object.entries(first!.runs)) {
      const ids = [...new Set(runs.flatMap((run) => Object.keys(run)))];
      const candidates = ids.map((id) => ({
        id,
        ...Object.fromEntries(runs.flatMap((run, n) => (id in run ? [[`r${n}`, run[id]]] : []))),
      }));
      // oxlint-disable-next-line no-await-in-loop -- arithmetic
      const pipeline = await createPipeline<object>(profileOf(fused, runs.length));
      const found = Object.fromEntries(pipeline.rankSync(candidates).ranked.map(({ id, score }) => [id, score]));
      cases.push({ name: [...name, query].join(' '), expected: fused.expected[query], found });
    }
  }
  return agree(cases, TOLERANCE);
}

/** Rank fusion, as ranx computes it. The cases are in this package. */
export const rankFusion: Family = {
  name: 'rank fusion',
  checks: [{ file: FILE, own: true, run: rankFusionTally }],
};
