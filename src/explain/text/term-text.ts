import { formatNumber, truncateEnd } from '../../text/index.js';
import type { ChildTerm, EntryTerm, Explanation, FieldRead } from '../explanation.js';
import type { JsonValue } from '../json-value.js';

/** A number, or a dash where there is none. */
export const numberText = (value: number | undefined): string => (value === undefined ? '–' : formatNumber(value));

/** The name of an entry inside another one, by its depth. */
export const childName = (unit: string, depth: number): string => `${'  '.repeat(depth - 1)}└ ${unit}`;

const MAX_VALUE_WIDTH = 40;

const valueText = (value: JsonValue): string =>
  typeof value === 'number' ? formatNumber(value) : truncateEnd(JSON.stringify(value), MAX_VALUE_WIDTH);

/** `stars = 850`: a field and its value; `candidate.` and `signals.` are left out. */
export function fieldReadText({ path, value, summary }: FieldRead): string {
  const name = path.replace(/^(?:candidate|signals)\./, '');
  if (summary !== undefined) return `${name} is ${summary}`;
  return value === undefined ? `${name} is absent` : `${name} = ${valueText(value)}`;
}

/** The fields that were read, in one paragraph; none where there are none. */
export const fieldReadsText = (reads: readonly FieldRead[]): readonly string[] =>
  reads.length === 0 ? [] : [reads.map(fieldReadText).join(', ')];

/** Why a term is as it is, a paragraph each: its reason with the key that decided its number, and what it read. */
export function reasonLines(term: EntryTerm & { readonly state: string; readonly rule?: string }): readonly string[] {
  const { state, because, reason, error, rule, unit } = term;
  if (state === 'not_asked') return [`not asked: ${because ?? ''}`];
  const reasonText =
    state === 'failed'
      ? `failed: ${error ?? 'an entry inside it refuses'}`
      : state === 'absent'
        ? `absent${reason === undefined ? '' : `: ${reason}`}`
        : (reason ?? unit);
  const first = rule === undefined ? reasonText : `${reasonText} (${rule})`;
  // A field that the reason names already is not repeated.
  return [first, ...fieldReadsText(term.reads.filter((read) => !first.includes(fieldReadText(read))))];
}

/** The entries inside one at every depth, with the depth of each. */
export function* childrenOf(term: EntryTerm, depth = 1): Generator<readonly [child: ChildTerm, depth: number]> {
  for (const child of term.inside) {
    yield [child, depth];
    yield* childrenOf(child, depth + 1);
  }
}

/** The mistakes of units in their notes. */
export function noteProblemsIn({ vetoes, measures, scorers }: Explanation): readonly string[] {
  const problems = [...vetoes, ...measures, ...scorers].flatMap((term) =>
    [term, ...Array.from(childrenOf(term), ([child]) => child)].flatMap(({ notes, unit }) =>
      notes.flatMap(({ problem }) => (problem === undefined ? [] : [`${term.id} (${unit}): ${problem}`])),
    ),
  );
  return [...new Set(problems)];
}
