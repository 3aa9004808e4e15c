import { cut } from '../document/fit.js';
import type { AskedTerm, ChildTerm, Explanation, FieldRead } from './explanation.js';
import { shown } from './numbers.js';
import type { Plain } from './plain.js';

/** A number, or a dash where there is none. */
export const numberText = (value: number | undefined): string => (value === undefined ? '–' : shown(value));

/** What an entry inside another one is called. */
export const insideName = (unit: string, depth: number): string => `${'  '.repeat(depth - 1)}└ ${unit}`;

const LONGEST_VALUE = 40;

const valueText = (value: Plain): string =>
  typeof value === 'number' ? shown(value) : cut(JSON.stringify(value), LONGEST_VALUE);

/** `stars = 850`: what was found at a field; the candidate's own without saying whose. */
export function readText({ path, value, summary }: FieldRead): string {
  const name = path.replace(/^(?:candidate|signals)\./, '');
  if (summary !== undefined) return `${name} is ${summary}`;
  return value === undefined ? `${name} is absent` : `${name} = ${valueText(value)}`;
}

/** What was read, in one paragraph; nothing where nothing was. */
export const readsText = (reads: readonly FieldRead[]): readonly string[] =>
  reads.length === 0 ? [] : [reads.map(readText).join(', ')];

/** Why something came out as it did, a paragraph each: what it says, the rule that settled it, what it read. */
export function whyText(term: AskedTerm & { readonly state: string; readonly rule?: string }): readonly string[] {
  const { state, because, reason, error, rule, unit } = term;
  if (state === 'not_asked') return [`not asked: ${because ?? ''}`];
  const said =
    state === 'failed'
      ? `failed: ${error ?? 'an entry inside it refuses'}`
      : state === 'absent'
        ? `absent${reason === undefined ? '' : `: ${reason}`}`
        : (reason ?? unit);
  const first = rule === undefined ? said : `${said} (${rule})`;
  // What a reason says already is said once.
  return [first, ...readsText(term.reads.filter((read) => !first.includes(readText(read))))];
}

/** The entries inside one, with how deep each stands. */
export function* insideOf(term: AskedTerm, depth = 1): Generator<readonly [child: ChildTerm, depth: number]> {
  for (const child of term.inside) {
    yield [child, depth];
    yield* insideOf(child, depth + 1);
  }
}

/** What units did wrong when they were asked why. */
export function problemsIn({ vetoes, measures, scorers }: Explanation): readonly string[] {
  const problems = [...vetoes, ...measures, ...scorers].flatMap((term) =>
    [term, ...Array.from(insideOf(term), ([child]) => child)].flatMap(({ notes, unit }) =>
      notes.flatMap(({ problem }) => (problem === undefined ? [] : [`${term.id} (${unit}): ${problem}`])),
    ),
  );
  return [...new Set(problems)];
}
