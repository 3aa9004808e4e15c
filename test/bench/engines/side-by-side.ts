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
  /** The smaller data that a slow engine gets. */
  readonly fewer: Sets;
}

/** Repeating the same thousand candidates flatters every tight loop; a server sees changing sets. */
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

/** @throws Error if the two select different items or give them different scores */
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

/** An engine that agreed with the loop by hand on every set. */
async function checked(engine: Engine, sets: Sets, byHand: Rank): Promise<Subject> {
  const rank = await engine.open();
  for (const list of sets) {
    // oxlint-disable-next-line no-await-in-loop -- not measured
    checkEqual(engine.name, await rank(list), await byHand(list), engine.tolerance);
  }
  return { name: engine.name, per: sizeOf(sets), pass: passOver(rank, sets) };
}

/** The goal of each of our engines against the loop by hand, by data set. */
export type Goals = readonly [repeated: Goal, changing: Goal, large: Goal];

/** The other engines. */
export interface Sides {
  readonly byHand: Engine;
  readonly ours: readonly [Engine, ...Engine[]];
  readonly goals: Goals;
  /** Each with our goal against it. */
  readonly rivals: readonly (readonly [Engine, Goal])[];
}

/**
 * Compares our engines with the loop by hand, and the others with our first engine, on each data set. Checks all
 * answers.
 */
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
