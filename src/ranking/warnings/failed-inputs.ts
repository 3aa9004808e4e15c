import type { Problem } from '../../diagnostics/index.js';
import type { Degraded } from '../../engine/index.js';
import type { Expression } from '../../expression/index.js';
import { labelOf, type Profile } from '../../profile/index.js';
import { warningAbout, type WarningSubject } from './warning.js';

/** Something that does nothing if what it reads is absent: a rule, a veto, a condition. */
interface Reader extends Omit<WarningSubject, 'id'> {
  /** `rule cap`, in messages. */
  readonly name: string;
  readonly reads: ReadonlySet<string>;
  /** What it fails to do: `fire`, `refuse`, `hold`. */
  readonly effect: string;
}

/** By stage of a failure: what expressions call the value that is missing. */
const VARIABLES: Readonly<Record<string, string>> = { signals: 'signals', measure: 'measures', score: 'scores' };
const NOUNS: Readonly<Record<string, string>> = { signals: 'signal', measure: 'measure', score: 'scorer' };

/**
 * Warns where a rule, a veto or a condition reads a value that failed. Such a value is absent, so what reads it does not
 * fire: a cap on unsafe candidates does not hold for a candidate that nothing judged.
 *
 * @param degraded the failures of the run
 */
export function failedInputWarnings(profile: Profile, degraded: readonly Degraded[]): readonly Problem[] {
  const missing = degraded.filter(({ stage, instead }) => instead === 'absent' && VARIABLES[stage] !== undefined);
  if (missing.length === 0) return [];
  const readers = readersOf(profile);
  return missing.flatMap(({ entry, stage, count, cause }) =>
    readers
      .filter(({ reads }) => reads.has(`${VARIABLES[stage]}.${entry}`))
      .map(({ name, effect, ...subject }) => {
        const where =
          stage === 'signals' ? 'for any candidate' : `for ${count === 1 ? '1 candidate' : `${count} candidates`}`;
        const message = `${name} may not ${effect} ${where}: it reads ${NOUNS[stage]} ${labelOf(profile.labels, entry)}, which failed (${cause})`;
        const hint = `on_error: fail on ${entry} fails the run instead`;
        return warningAbout(subject, 'ASZ719', message, hint);
      }),
  );
}

function readersOf(profile: Profile): readonly Reader[] {
  const { adjustments, vetoes, measures, scorers, reports, signals, phases, fallback } = profile;
  const named = (id: string): string => labelOf(profile.labels, id);
  const conditions = [...vetoes, ...measures, ...scorers, ...reports, ...signals].map((entry): Reader => {
    const { id, path, place } = entry;
    return { name: `the when of ${named(id)}`, reads: readsOf([entry.when]), effect: 'hold', path, place };
  });
  return [
    ...vetoes.map((entry): Reader => {
      const { id, use, path, place } = entry;
      const reads = readsOf(use.kind === 'expr' ? [use.expression] : []);
      return { name: `veto ${named(id)}`, reads, effect: 'refuse', path, place };
    }),
    ...conditions,
    ...phases.map(
      ({ name, when }): Reader => ({ name: `the when of phase ${name}`, reads: readsOf([when]), effect: 'hold' }),
    ),
    ...adjustments.map(({ id, when, set, add, multiply, min, max }): Reader => {
      const factors = typeof multiply === 'object' && 'table' in multiply ? multiply.by : [multiply];
      return { name: `rule ${named(id)}`, reads: readsOf([when, set, add, ...factors, min, max]), effect: 'fire' };
    }),
    ...fallback.map(
      ({ use, when }): Reader => ({ name: `the when of fallback ${use}`, reads: readsOf([when]), effect: 'hold' }),
    ),
  ];
}

const readsOf = (given: readonly (Expression | number | undefined)[]): ReadonlySet<string> =>
  new Set(given.flatMap((one) => (typeof one === 'object' ? one.reads : [])));
