import { measure, type Subject } from '../measure.js';
import type { Result } from '../result.js';
import type { Effort } from '../section.js';
import { exponent, spread } from '../statistics.js';
import { NOW, pipelineOf } from './bench-profile.js';
import { scorersProfile } from './scorers.js';

const WORK = 'Time by scorers, 100,000 rows';
const SCORERS = [0, 1, 8, 64] as const;
const KINDS = ['Assize, objects', 'objects by hand', 'Assize, columns', 'columns by hand'] as const;

const named = (kind: string, scorers: number): string => `${kind}, ${scorers} ${scorers === 1 ? 'scorer' : 'scorers'}`;

async function subjectsOf(scorers: number, effort: Effort): Promise<readonly Subject[]> {
  const profile = scorersProfile(scorers);
  const per = effort.of(profile.rows);
  const work = profile.open(per);
  const [one, two] = [await pipelineOf(profile), await pipelineOf(profile)];
  const passes = [
    () => one.rank(work.objects, { now: NOW }),
    work.overObjects,
    () => two.rank(work.columns, { now: NOW }),
    work.overColumns,
  ];
  return passes.map((pass, k) => ({ name: named(KINDS[k]!, scorers), per, pass }));
}

/** The time that scorers add to the same profile without one, from 8 scorers to 64. */
export async function* growthByScorers(effort: Effort): AsyncGenerator<Result> {
  const subjects: Subject[] = [];
  // oxlint-disable-next-line no-await-in-loop -- not measured
  for (const scorers of SCORERS) subjects.push(...(await subjectsOf(scorers, effort)));
  const times = await measure(subjects, { ...effort, millis: Math.min(effort.millis, 1) });
  for (const kind of KINDS) {
    for (const scorers of SCORERS) yield times.result(WORK, named(kind, scorers), 'row');
    const rounds = times.byRound([0, 8, 64].map((scorers) => named(kind, scorers)));
    const beyond = rounds.map(([none = 0, few = 0, many = 0]) => [few - none, many - none] as const);
    const perScorer = beyond.map(([few, many]) => many / 64 / (few / 8)).filter((ratio) => ratio > 0);
    yield { work: WORK, subject: `${kind}, one of 64 ÷ one of 8`, amount: spread(perScorer), unit: 'times' };
    const powers = beyond.map((pair) => exponent([8, 64], pair)).filter(Number.isFinite);
    const growth: Result = { work: WORK, subject: `${kind}, growth`, amount: spread(powers), unit: 'power of N' };
    yield kind.startsWith('Assize') ? { ...growth, goal: { atMost: 1.08 } } : growth;
  }
}
