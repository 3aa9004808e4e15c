import type { Problem } from '../base/index.js';
import { type CheckedNode, compileSteps, formatPath, partsOf } from '../expression/index.js';
import { labelOf, expressionsOfCandidates, type Profile } from '../profile/index.js';
import { warningAbout } from './input-warnings.js';

/** A comparison of a field of the candidate with literals of one type. */
interface Comparison {
  readonly by: '==' | '!=' | 'in';
  readonly field: Extract<CheckedNode, { readonly op: 'path' }>;
  readonly literals: readonly Literal[];
}

type Literal = string | number | boolean;

/**
 * Warns about comparisons with a literal that never hold, because no candidate has a value of the literal's type:
 * `candidate.done == false` if the field is "yes" or "no". In CEL, values of different types are not equal, which is not
 * an error.
 *
 * @param nameAt the name of the candidate at a position
 */
export function comparisonWarnings(
  profile: Profile,
  candidates: readonly unknown[],
  nameAt: (position: number) => string,
): readonly Problem[] {
  const warnings = expressionsOfCandidates(profile).flatMap(({ by, path, expression }) =>
    comparisonsIn(expression.tree).flatMap((comparison): Problem[] => {
      const found = otherType(comparison, candidates);
      if (!found) return [];
      const source = sourceOf(comparison);
      const always = comparison.by === '!=' ? 'always' : 'never';
      const types = typeOf(comparison.literals[0]) ?? '';
      const message = `${labelOf(profile.labels, by)}: ${source} ${always} holds: it compares with a ${types}, and the field is a ${typeOf(found.value)}: ${JSON.stringify(found.value)} for ${nameAt(found.position)}`;
      return [warningAbout({ path, place: expression.place }, 'ASZ748', message, hintOf(comparison, found.value))];
    }),
  );
  return [...new Map(warnings.map((warning) => [warning.message, warning])).values()];
}

function comparisonsIn(node: CheckedNode): readonly Comparison[] {
  const inner = partsOf(node).flatMap(comparisonsIn);
  if (node.op !== 'binary' || (node.by !== '==' && node.by !== '!=' && node.by !== 'in')) return inner;
  const { by, left, right } = node;
  const [field, other] = left.op === 'path' ? [left, right] : [right, left];
  // `"a" in candidate.tags` tests the elements of the field.
  if (field.op !== 'path' || !isOfCandidate(field) || (by === 'in' && field !== left)) return inner;
  const literals = literalsOf(other, by === 'in');
  const types = new Set(literals.map(typeOf));
  return literals.length > 0 && types.size === 1 ? [...inner, { by, field, literals }] : inner;
}

const isOfCandidate = ({ of, steps }: Comparison['field']): boolean =>
  of.op === 'variable' &&
  of.name === 'candidate' &&
  of.field === undefined &&
  steps.every(({ kind }) => kind !== 'each');

function literalsOf(node: CheckedNode, isList: boolean): readonly Literal[] {
  // A time is a number to the engine, and its text is not that of the expression.
  if (node.op === 'list') return isList ? node.parts.flatMap((part) => literalsOf(part, false)) : [];
  if (node.op !== 'constant' || node.kind === 'timestamp' || node.kind === 'duration') return [];
  const values: readonly unknown[] = isList && Array.isArray(node.value) ? node.value : [node.value];
  const literals = values.filter((value): value is Literal => typeOf(value) !== undefined);
  return literals.length === values.length ? literals : [];
}

/** The first value of the field, if every candidate that has the field has a value of another type than the literals. */
function otherType({ field, literals }: Comparison, candidates: readonly unknown[]) {
  const read = compileSteps(field.steps);
  const expected = typeOf(literals[0]);
  let first: { readonly value: Literal; readonly position: number } | undefined;
  for (let position = 0; position < candidates.length; position++) {
    const value = tryRead(() => read(candidates[position]));
    if (value === undefined || value === null) continue;
    const type = typeOf(value);
    if (type === undefined || type === expected) return undefined;
    first ??= { value: value as Literal, position };
  }
  return first;
}

const typeOf = (value: unknown): 'text' | 'number' | 'boolean' | undefined =>
  typeof value === 'string'
    ? 'text'
    : typeof value === 'number'
      ? 'number'
      : typeof value === 'boolean'
        ? 'boolean'
        : undefined;

const nameOf = ({ steps }: Comparison['field']): string => {
  const path = formatPath(steps);
  return path.startsWith('[') ? `candidate${path}` : `candidate.${path}`;
};

function sourceOf({ by, field, literals }: Comparison): string {
  const texts = literals.map((literal) => JSON.stringify(literal));
  return `${nameOf(field)} ${by} ${by === 'in' ? `[${texts.join(', ')}]` : texts.join('')}`;
}

/** The same comparison with a value of the field's type. */
function hintOf(comparison: Comparison, found: Literal): string {
  const { field, literals, by } = comparison;
  if (
    typeof literals[0] === 'number' &&
    typeof found === 'string' &&
    found.trim() !== '' &&
    Number.isFinite(Number(found))
  )
    return `convert the text: double(${nameOf(field)}) ${by} ${by === 'in' ? '[…]' : literals[0]}`;
  const literal =
    typeof found === 'string'
      ? `a text: ${by} ${inList(by, JSON.stringify(found))}`
      : `a ${typeOf(found)}: ${by} ${inList(by, String(found))}`;
  return `compare with ${literal}`;
}

const inList = (by: Comparison['by'], text: string): string => (by === 'in' ? `[${text}]` : text);

/** Undefined if reading throws, because getters of candidates may throw. */
function tryRead(read: () => unknown): unknown {
  try {
    return read();
  } catch {
    return undefined;
  }
}
