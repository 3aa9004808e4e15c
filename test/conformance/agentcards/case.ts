import { parse } from 'yaml';
import { createPipeline, type Pipeline, type ProfileInput } from 'assize';
import { presetSource } from '../../../src/profile/presets.js';
import type { Tally } from '../tally.js';

/** A number of the reference (null if it has none), and the call that computes ours. */
export interface Case {
  readonly name: string;
  readonly expected: number | string | boolean | null;
  readonly found: () => Promise<number | string | boolean | undefined>;
  readonly tolerance?: number;
}

const EXACT = 1e-9;

/** Evaluates every case, one after another. */
export async function judge(cases: readonly Case[]): Promise<Tally> {
  const failed: Tally['failed'][number][] = [];
  for (const { name, expected, found, tolerance = EXACT } of cases) {
    // oxlint-disable-next-line no-await-in-loop -- runs are cheap, and a thousand at once are not
    const value = await found().catch((error: unknown) => String(error));
    if (agree(expected, value, tolerance)) continue;
    failed.push({ name, expected: String(expected ?? 'nothing'), found: String(value ?? 'nothing') });
  }
  return { passed: cases.length - failed.length, failed, skipped: [] };
}

function agree(expected: Case['expected'], value: unknown, tolerance: number): boolean {
  if (typeof expected !== 'number') return expected === null ? value === undefined : value === expected;
  return typeof value === 'number' && Math.abs(value - expected) <= tolerance;
}

const pipelines = new Map<string, Promise<Pipeline<object>>>();

/** The pipeline of a profile, created once. */
function pipelineOf(profile: ProfileInput): Promise<Pipeline<object>> {
  const key = JSON.stringify(profile);
  const made = pipelines.get(key) ?? createPipeline<object>(profile, { codegen: true });
  pipelines.set(key, made);
  return made;
}

/** The weights of a preset's scorers: an entry with another expression keeps nothing else. */
export async function weightsOf(preset: string): Promise<(id: string) => number> {
  const { tier2_scorers: scorers } = parse((await presetSource(preset))?.text ?? '') as ProfileInput;
  return (id) => {
    const weight = scorers?.find((scorer) => scorer.id === id)?.weight;
    if (typeof weight !== 'number') throw new Error(`${preset} has no scorer ${id} with a weight`);
    return weight;
  };
}

/** The result of a profile on candidates: final scores by position, and any column or report. */
export async function ask(profile: object, candidates: readonly object[], context: object = {}) {
  const pipeline = await pipelineOf(profile); // loosely typed: an entry that amends another has no class
  const ranking = await pipeline.rank(candidates, { ...context });
  const scores = new Map(ranking.ranked.map(({ index, score }) => [index, score]));
  const rows = new Map(Array.from(ranking.matrix.index, (position, row) => [position, row]));
  return {
    ranking,
    score: (index = 0): number | undefined => scores.get(index),
    column(entry: string, index = 0): number | undefined {
      const { values, states } = ranking.matrix.column(entry);
      const row = rows.get(index);
      return row === undefined || states[row] !== 0 ? undefined : values[row];
    },
    report: (id: string, field: string): number | undefined => {
      const value = ranking.report[id];
      const found: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, field) : undefined;
      return typeof found === 'number' ? found : undefined;
    },
  };
}

/** A use of one scorer of the pack, as an entry called `asked` that may abstain. */
export const only = (name: string, params: object = {}): ProfileInput => ({
  plugins: ['agentcards'],
  tier2_scorers: [{ id: 'asked', class: name, params: { ...params }, on_absent: 0 }],
});

/** The score of one candidate by one scorer. */
export const scored = async (name: string, params: object, candidate: object, context: object) =>
  (await ask(only(name, params), [candidate], context)).column('asked');

/** A graph of edges in a row, with these weights: n0 → n1 → … */
export const chainOf = (weights: readonly number[]): object => ({
  nodes: ['n0'],
  edges: weights.map((weight, i) => ({ from: `n${i}`, to: `n${i + 1}`, weight })),
});
