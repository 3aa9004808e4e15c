import { formatNumber } from '../../text/format-number.js';
import { truncateEnd } from '../../text/wrap.js';
import type { ChildTerm, EntryTerm, Explanation, FieldRead } from '../explanation.js';
import type { JsonValue } from '../json-value.js';

/** A number, or a dash where there is none. */
export const numberText = (value: number | undefined): string => (value === undefined ? '–' : formatNumber(value));

/** What an entry inside another one is called. */
export const childName = (unit: string, depth: number): string => `${'  '.repeat(depth - 1)}└ ${unit}`;

const MAX_VALUE_WIDTH = 40;

const valueText = (value: JsonValue): string =>
  typeof value === 'number' ? formatNumber(value) : truncateEnd(JSON.stringify(value), MAX_VALUE_WIDTH);

/** `stars = 850`: what was found at a field; the candidate's own without saying whose. */
export function fieldReadText({ path, value, summary }: FieldRead): string {
  const name = path.replace(/^(?:candidate|signals)\./, '');
  if (summary !== undefined) return `${name} is ${summary}`;
  return value === undefined ? `${name} is absent` : `${name} = ${valueText(value)}`;
}

/** What was read, in one paragraph; nothing where nothing was. */
export const fieldReadsText = (reads: readonly FieldRead[]): readonly string[] =>
  reads.length === 0 ? [] : [reads.map(fieldReadText).join(', ')];

/** Why something came out as it did, a paragraph each: what it says, the rule that settled it, what it read. */
export function reasonLines(term: EntryTerm & { readonly state: string; readonly rule?: string }): readonly string[] {
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
  return [first, ...fieldReadsText(term.reads.filter((read) => !first.includes(fieldReadText(read))))];
}

/** The entries inside one, with how deep each stands. */
export function* childrenOf(term: EntryTerm, depth = 1): Generator<readonly [child: ChildTerm, depth: number]> {
  for (const child of term.inside) {
    yield [child, depth];
    yield* childrenOf(child, depth + 1);
  }
}

/** What units did wrong when they were asked why. */
export function noteProblemsIn({ vetoes, measures, scorers }: Explanation): readonly string[] {
  const problems = [...vetoes, ...measures, ...scorers].flatMap((term) =>
    [term, ...Array.from(childrenOf(term), ([child]) => child)].flatMap(({ notes, unit }) =>
      notes.flatMap(({ problem }) => (problem === undefined ? [] : [`${term.id} (${unit}): ${problem}`])),
    ),
  );
  return [...new Set(problems)];
}
