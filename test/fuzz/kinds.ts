import { deepStrictEqual } from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { AssizeError, createPipeline, type Pipeline, type ProfileInput } from 'assize';
import { parseCandidates } from '../../src/data/read-candidates.js';
import { tryCandidateSet } from './candidate-sets.js';
import { candidateFile, profileBySchema, profileText, profileTree } from './documents.js';
import { randomExpression } from './expressions.js';
import type { Context } from 'assize/sdk';
import type { Random } from './random.js';
import { tryRequests } from './requests.js';
import { randomCandidate } from './values.js';

/** An error for a user is an answer; any other error is a bug. */
async function orProblem<R>(work: () => R | Promise<R>): Promise<R | string> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AssizeError)
      return `problem: ${error.problems.map(({ code, message }) => `${code} ${message}`).join('; ')}`;
    throw error;
  }
}

type Told = readonly (readonly [id: string, score: number | undefined])[] | string;

/** The result of every call on some candidates: the ids and scores of the selected. */
async function tellAll(pipeline: Pipeline<object>, candidates: readonly object[], context: Context): Promise<Told[]> {
  const selectedOf = ({
    selected,
  }: {
    readonly selected: readonly { readonly id: string; readonly score?: number | undefined }[];
  }): Told => selected.map(({ id, score }) => [id, score] as const);
  const options = { updateMemory: false };
  return [
    await orProblem(async () => {
      const ranking = await pipeline.rank(candidates, context, options);
      // Everything that is computed when it is read.
      void [
        ranking.warnings,
        ranking.degraded,
        ranking.notSelected.length,
        ranking.refused.map(({ reason }) => reason),
      ];
      for (const { id } of ranking.selected.slice(0, 2)) ranking.explain(id);
      return selectedOf(ranking);
    }),
    await orProblem(() => selectedOf(pipeline.rankSync(candidates, context, options))),
    await orProblem(async () =>
      selectedOf(await pipeline.rank(candidates, context, { ...options, signal: new AbortController().signal })),
    ),
  ];
}

/** Units that reach outside are only loaded: models, files, services. */
const REACHES_OUT = /embed|similar|novel|judge|model|memory|language|rerank|index|base_url|plugin/iu;

/** Loads a profile with and without code generation, and runs it: every call gives the same result. */
async function tryProfile(profile: string | ProfileInput, written: string, random: Random): Promise<void> {
  const pipelines = [
    await orProblem(() => createPipeline<object>(profile)),
    await orProblem(() => createPipeline<object>(profile, { codegen: false })),
  ];
  const [first, second] = pipelines;
  if (typeof first === 'string' || typeof second === 'string' || !first || !second) {
    deepStrictEqual(first, second);
    return;
  }
  if (REACHES_OUT.test(written)) return;
  const candidates = Array.from({ length: 1 + random.below(20) }, () => randomCandidate(random));
  const context: Context = random.chance(0.5) ? {} : { user: 'a', turn_count: random.below(9), now: 0 };
  const [expected, ...others] = [
    ...(await tellAll(first, candidates, { now: 0, ...context })),
    ...(await tellAll(second, candidates, { now: 0, ...context })),
  ];
  // If one call has a problem, all have one; its message may name the call.
  for (const told of others) {
    if (typeof told === 'string' || typeof expected === 'string')
      deepStrictEqual(typeof told === typeof expected || String(told).includes('ASZ516'), true);
    else deepStrictEqual(told, expected);
  }
}

/** The kinds of inputs, and the test of each. */
export const KINDS: Readonly<Record<string, (random: Random) => Promise<void>>> = {
  async text(random) {
    const text = profileText(random);
    await writeFile('fuzz.yaml', text);
    await tryProfile('./fuzz.yaml', text, random);
  },
  async tree(random) {
    const tree = profileTree(random);
    if (typeof tree !== 'object' || tree === null) return;
    await tryProfile(tree, inspectable(tree), random);
  },
  async schema(random) {
    const profile = profileBySchema(random);
    if (typeof profile !== 'object' || profile === null) return;
    await tryProfile(profile, inspectable(profile), random);
  },
  async expression(random) {
    const [veto, score, rule] = [randomExpression(random), randomExpression(random), randomExpression(random, 3)];
    const profile: ProfileInput = random.pick<ProfileInput>([
      {
        tier2_scorers: [
          { id: 'p', expr: score },
          { id: 'q', expr: 'candidate.a', on_error: 0.5, on_absent: 0.2 },
        ],
      },
      { tier1_scorers: [{ id: 'v', expr: veto }], tier2_scorers: [{ id: 'p', expr: score }] },
      { measures: [{ id: 'm', expr: score }], adjustments: [{ id: 'r', when: rule, add: 'measures.m' }] },
      { tier2_scorers: [{ id: 'p', expr: score }], select: { ties: [rule], top: 5 } },
      { tier2_scorers: [{ id: 'p', expr: score }], select: { duplicates: rule } },
    ]);
    await tryProfile(profile, '', random);
  },
  async candidates(random) {
    const combine = random.pick([
      'weighted_mean',
      'weighted_sum',
      'product',
      'geometric_mean',
      'harmonic_mean',
      'min',
      'max',
    ] as const);
    const profile: ProfileInput = {
      combine,
      tier1_scorers: random.chance(0.5) ? [{ id: 'v', expr: 'candidate.b == true' }] : [],
      tier2_scorers: [
        { id: 'p', expr: 'candidate.a', on_error: random.pick(['refuse', 'skip', 0.5]) },
        {
          id: 'q',
          expr: 'sum(candidate.list) + size(candidate.text)',
          on_absent: random.pick(['skip', 0.5, 'refuse']),
        },
        { id: 'r', class: 'CountScorer', params: { items: 'list' }, on_error: 'skip' },
      ],
      select: { duplicates: random.chance(0.3) ? 'candidate.map' : 'candidate.text', top: 10 },
    };
    await tryProfile(profile, '', random);
  },
  async file(random) {
    const { format, text } = candidateFile(random);
    const read = async (parts: readonly (string | Uint8Array)[]): Promise<unknown> =>
      orProblem(async () => {
        const rows: object[] = [];
        for await (const batch of parseCandidates(parts, 'fuzz', format)) rows.push(...batch);
        return rows;
      });
    const bytes = Buffer.from(text);
    const at = random.below(bytes.length + 1);
    const [cut, whole] = [await read([bytes.subarray(0, at), bytes.subarray(at)]), await read([bytes])];
    // After a wrong quote, other problems depend on where that part of the file ends.
    if (typeof cut === 'string' || typeof whole === 'string') deepStrictEqual(typeof cut, typeof whole);
    else deepStrictEqual(cut, whole);
  },
  sets: tryCandidateSet,
  requests: tryRequests,
};

/**
 * A tree as text, to search for names; one that contains itself, or values that JSON cannot hold, counts as reaching
 * outside.
 */
function inspectable(tree: object): string {
  try {
    return JSON.stringify(tree);
  } catch {
    return 'plugin';
  }
}
