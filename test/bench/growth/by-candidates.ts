import { assize } from '../engines/assize.js';
import { byHand } from '../engines/by-hand.js';
import { items } from '../engines/work.js';
import { measure, type Subject } from '../measure.js';
import { random } from '../random.js';
import type { Result } from '../result.js';
import type { Effort } from '../section.js';
import { grown, listsOf, passOver } from './grown.js';

export const SIZES = [1000, 10_000, 100_000, 1_000_000] as const;

/** The profile of the first section, over increasing numbers of candidates. */
export async function* byCandidates(effort: Effort): AsyncGenerator<Result> {
  const work = 'Time by candidates';
  const all = items(effort.of(1_000_000), random());
  const sizes = SIZES.map((size) => effort.of(size));
  const subjects: (Subject & { readonly subject: string; readonly size: number })[] = [];
  const named = (engine: string, size: number): string => `${engine} ${size}`;
  for (const engine of [assize, byHand]) {
    // oxlint-disable-next-line no-await-in-loop -- not measured
    const rank = await engine.open();
    for (const size of sizes) {
      const lists = listsOf(all, size);
      const name = named(engine.name, size);
      subjects.push({ name, subject: engine.name, size, per: all.length, pass: () => passOver(lists, rank) });
    }
  }
  const times = await measure(subjects, { ...effort, rounds: Math.ceil((effort.rounds * 2) / 3) }); // a pass is a million
  for (const { name, subject, size } of subjects) yield { ...times.result(work, name, 'candidate'), subject, size };
  for (const { name } of [assize, byHand]) {
    const rounds = times.byRound(sizes.map((size) => named(name, size)));
    const totals = rounds.map((nanos) => nanos.map((one, k) => one * (sizes[k] ?? 0)));
    const result = grown(work, `${name}, growth`, sizes, totals);
    yield name === assize.name ? result : { ...result, goal: undefined };
  }
}
