import { measure, type Subject } from '../measure.js';
import { random } from '../random.js';
import type { Goal, Result } from '../result.js';
import type { Effort } from '../section.js';
import type { Engine, Placed, Rank } from './engine.js';
import { type Item, items } from './work.js';

type Sets = readonly (readonly Item[])[];

interface DataSet {
  readonly work: string;
  readonly sets: Sets;
  /** What a slow engine gets instead. */
  readonly fewer: Sets;
}

/** The same thousand for ever flatters every tight loop; sets that change are what a server sees. */
function dataSets(effort: Effort): readonly DataSet[] {
  const next = random();
  const thousand = effort.of(1000);
  const one = [items(thousand, next)];
  const many = Array.from({ length: effort.of(64) }, () => items(thousand, next));
  const million = items(effort.of(1_000_000), next);
  return [
    { work: '1,000 candidates, one set repeated', sets: one, fewer: one },
    { work: '1,000 candidates, 64 sets in turn', sets: many, fewer: many.slice(0, 4) },
    { work: '1,000,000 candidates', sets: [million], fewer: [million.slice(0, effort.of(5000))] },
  ];
}

/** @throws Error where the two select other items, or give them other scores */
function checkEqual(name: string, found: readonly Placed[], expected: readonly Placed[], tolerance: number): void {
  const equal =
    found.length === expected.length &&
    expected.every(({ index, score }, k) => found[k]?.index === index && Math.abs(found[k].score - score) <= tolerance);
  if (equal) return;
  throw new Error(`${name} answers ${JSON.stringify(found)}, and by hand it is ${JSON.stringify(expected)}`);
}

const sizeOf = (sets: Sets): number => sets.reduce((sum, { length }) => sum + length, 0);

function passOver(rank: Rank, sets: Sets): () => unknown {
  const waits = rank(sets[0] ?? []) instanceof Promise;
  if (!waits) {
    return () => {
      let last: unknown;
      for (const list of sets) last = rank(list);
      return last;
    };
  }
  return async () => {
    let last: unknown;
    // oxlint-disable-next-line no-await-in-loop -- one run after another is what is measured
    for (const list of sets) last = await rank(list);
    return last;
  };
}

/** One that answered as the loop by hand on every set. */
async function checked(engine: Engine, sets: Sets, byHand: Rank): Promise<Subject> {
  const rank = await engine.open();
  for (const list of sets) {
    // oxlint-disable-next-line no-await-in-loop -- not measured
    checkEqual(engine.name, await rank(list), await byHand(list), engine.tolerance);
  }
  return { name: engine.name, per: sizeOf(sets), pass: passOver(rank, sets) };
}

/** What is promised, data set by data set, of each of ours to the loop by hand. */
export type Goals = readonly [repeated: Goal, changing: Goal, large: Goal];

/** Who takes part, besides the loop by hand. */
export interface Sides {
  readonly byHand: Engine;
  readonly ours: readonly [Engine, ...Engine[]];
  readonly goals: Goals;
  /** Each with what is promised of it to the first of ours. */
  readonly rivals: readonly (readonly [Engine, Goal])[];
}

/** Ours beside the loop by hand, the others beside the first of ours: on each data set, all answers checked. */
export async function* sideBySide({ byHand, ours, goals, rivals }: Sides, effort: Effort): AsyncGenerator<Result> {
  const loop = await byHand.open();
  for (const [k, { work, sets, fewer }] of dataSets(effort).entries()) {
    const subjects: Subject[] = [];
    for (const engine of [byHand, ...ours, ...rivals.map(([rival]) => rival)]) {
      // oxlint-disable-next-line no-await-in-loop -- not measured
      subjects.push(await checked(engine, engine.slow ? fewer : sets, loop));
    }
    // oxlint-disable-next-line no-await-in-loop -- measured one after another
    const times = await measure(subjects, effort);
    yield times.result(work, byHand.name, 'candidate');
    for (const { name } of ours) {
      const goal = goals[k];
      yield { ...times.result(work, name, 'candidate', byHand.name), ...(goal && { goal }) };
    }
    for (const [{ name, slow }, goal] of rivals) {
      const result = { ...times.result(work, name, 'candidate', ours[0].name), goal };
      yield slow && fewer !== sets ? { ...result, note: `on ${sizeOf(fewer).toLocaleString('en')} of them` } : result;
    }
  }
}
