import { type Problem, toAssizeError } from '../diagnostics/index.js';
import { formatPath, parsePath } from '../expression/path/path-syntax.js';
import type { Pipeline } from '../index.js';

/**
 * Refuses profiles that read what they are measured by. What a class without `reads: 'params'` reads is not known: where
 * the label is taken out of the candidates, as `readDataset` does, such a class finds nothing there.
 *
 * @param profiles pipelines by the names that they have in messages
 * @param label    the path to the grade in a candidate
 * @throws AssizeError (ASZ540) with each entry that reads the label, something in it, or the map that it is in
 */
export function checkLabel(profiles: Readonly<Record<string, Pick<Pipeline, 'candidateReads'>>>, label: string): void {
  const steps = stepsOf(label);
  const problems = Object.entries(profiles).flatMap(([profile, { candidateReads }]) =>
    candidateReads
      .filter(({ field }) => field !== undefined && overlap(stepsOf(field), steps))
      .map(({ by, field, path, place }): Problem => {
        const message = `${by} reads ${field}, and the profile is measured by ${label}`;
        const hint = `what knows the answer proves nothing: ${remedy(profile, by)}`;
        return { code: 'ASZ540', message, place, hint, ...(path !== undefined && { path }) };
      }),
  );
  if (problems.length > 0) throw toAssizeError(problems);
}

/** Entries and rules have an id; what else reads, such as `select.ties`, is a key. */
const remedy = (profile: string, by: string): string =>
  /^[a-z0-9_]+$/.test(by) && by !== 'combine'
    ? `extends: [${profile}], and there { id: ${by}, enabled: false }`
    : `let ${by} read something else`;

/** The steps of a path, each as text; an index of a list is any of its items. */
const stepsOf = (path: string): readonly string[] =>
  parsePath(path).map((step) => formatPath([step.kind === 'index' ? { kind: 'each' } : step]));

/** Whether one path leads to the other, or to what is in it. */
const overlap = (one: readonly string[], other: readonly string[]): boolean =>
  one.slice(0, other.length).every((step, k) => step === other[k]);
