import type { ExpressionFunction, ExpressionScope } from 'assize/language';
import { fieldAt, type SampleField, fieldText } from './fields.js';
import type { CompletionKind } from './types.js';

/** A name that may follow in an expression. */
export interface ExpressionCompletion {
  readonly label: string;
  readonly kind: CompletionKind;
  readonly text: string;
  readonly detail?: string | undefined;
  readonly rank: number;
}

/** What is known about an expression besides its text. */
export interface ExpressionSurroundings {
  readonly scope: ExpressionScope;
  readonly functions: readonly ExpressionFunction[];
  /** The fields of a sample of candidates. */
  readonly sample: SampleField | undefined;
  /** The candidate fields that other expressions of the profile read. */
  readonly read: SampleField;
}

/** The names and dots before the end of a text: `candidate.owner.lo`. Elements count as names: `steps[0].`. */
const CHAIN = /((?:[A-Za-z_]\w{0,99}(?:\[\w{0,20}\])?\.\??){0,20})([A-Za-z_]\w{0,99})?$/;
/** The variables of macros: `xs.filter(x, …)`. */
const LOCAL =
  /\.(?:all|exists|exists_one|existsOne|filter|map|transform\w{3,12}|optMap|optFlatMap)\(\s{0,9}([A-Za-z_]\w{0,99})\s{0,9},/g;
const LONGEST = 10_000;

/** The length of the name at the end of an expression, which a completion replaces. */
export const wordLength = (before: string): number => /[A-Za-z_]?\w{0,99}$/.exec(before.slice(-100))?.[0].length ?? 0;

/** Completes the name at the end of the part of an expression before the cursor. */
export function completeExpression(text: string, around: ExpressionSurroundings): readonly ExpressionCompletion[] {
  const before = text.slice(-LONGEST);
  if (isInString(before)) return [];
  const [, chain = ''] = CHAIN.exec(before.slice(-2000)) ?? [];
  const start = before.length - (CHAIN.exec(before.slice(-2000))?.[0].length ?? 0);
  if (chain === '') return before[start - 1] === '.' ? afterValue(around, undefined) : names(before, around);
  if (before[start - 1] === '.' || /[)\]]\.\??$/.test(before.slice(0, start))) return afterValue(around, undefined);
  const steps = chain.split(/\.\??/).slice(0, -1);
  return afterNames(steps.flatMap(withElement), around);
}

/** `steps[0]` as `steps` and an element of it. */
const withElement = (step: string): readonly string[] =>
  step.includes('[') ? [step.slice(0, step.indexOf('[')), '[]'] : [step];

/** Whether the end of an expression is inside a text. */
function isInString(before: string): boolean {
  let quote = '';
  for (let at = 0; at < before.length; at += 1) {
    const character = before[at] ?? '';
    if (quote !== '' && character === '\\') at += 1;
    else if (quote === '' && (character === '"' || character === "'")) quote = character;
    else if (character === quote) quote = '';
  }
  return quote !== '';
}

/** Variables, named expressions and functions. */
function names(before: string, { scope, functions }: ExpressionSurroundings): readonly ExpressionCompletion[] {
  const locals = Array.from(before.matchAll(LOCAL), ([, name = '']) => name);
  return [
    ...[...new Set(locals)].map((label) => ({
      label,
      kind: 'variable' as const,
      text: label,
      detail: 'element',
      rank: 0,
    })),
    ...Object.entries(scope.variables)
      .filter(([name]) => !name.includes('.'))
      .map(([label, type]) => ({
        label,
        kind: 'variable' as const,
        text: typeof type === 'object' ? `${label}.` : label,
        detail: typeof type === 'object' ? 'map' : type === 'dyn' ? 'any' : type,
        rank: 1,
      })),
    ...(scope.lets?.names ?? []).map((label) => ({
      label,
      kind: 'variable' as const,
      text: label,
      detail: 'let',
      rank: 1,
    })),
    ...functions.filter(({ alone }) => alone).map((one) => functionCompletion(one, 3)),
    ...['true', 'false', 'null'].map((label) => ({ label, kind: 'value' as const, text: label, rank: 4 })),
  ];
}

/** The fields and functions after `a.b.`. */
function afterNames(steps: readonly string[], around: ExpressionSurroundings): readonly ExpressionCompletion[] {
  const { variables } = around.scope;
  const [first = '', ...path] = steps;
  const name = steps.join('.');
  const type = Object.hasOwn(variables, name) ? variables[name] : undefined;
  if (typeof type === 'object') {
    return Object.entries(type.fields).map(([label, field]) => ({
      label,
      kind: 'field',
      text: label,
      detail: field === 'dyn' ? 'any' : field,
      rank: 0,
    }));
  }
  const spaced = around.functions.filter((one) => one.name.startsWith(`${name}.`));
  if (spaced.length > 0 && !Object.hasOwn(variables, first)) {
    return spaced.map((one) => functionCompletion({ ...one, name: one.name.slice(name.length + 1) }, 0));
  }
  if (first !== 'candidate') return afterValue(around, type);
  const sampled = fieldAt(around.sample, path);
  const fields = fieldCompletions(sampled, fieldAt(around.read, path));
  return [...fields, ...afterValue(around, path.length === 0 ? 'map' : celTypeOf(sampled))];
}

/** The fields of candidates: those of the sample, then those that other expressions read. */
function fieldCompletions(
  sampled: SampleField | undefined,
  read: SampleField | undefined,
): readonly ExpressionCompletion[] {
  const known = sampled?.fields ?? new Map<string, SampleField>();
  const isName = (label: string): boolean => /^[A-Za-z_]\w*$/.test(label);
  return [
    ...[...known].map(([label, field]) => ({
      label,
      kind: 'field' as const,
      text: label,
      detail: fieldText(field),
      rank: 0,
    })),
    ...[...(read?.fields.keys() ?? [])]
      .filter((label) => !known.has(label))
      .map((label) => ({ label, kind: 'field' as const, text: label, detail: 'read by this profile', rank: 1 })),
  ].filter(({ label }) => isName(label));
}

/** The type of a field in a sample, if all candidates have one type. */
function celTypeOf(field: SampleField | undefined): string | undefined {
  const types = [...(field?.types ?? [])].filter((type) => type !== 'null');
  return types.length === 1 ? types[0] : undefined;
}

/** The functions that can be called on a value. */
function afterValue({ functions }: ExpressionSurroundings, type: string | undefined): readonly ExpressionCompletion[] {
  const accepts = ({ receiver }: ExpressionFunction): boolean =>
    type === undefined || type === 'dyn' || receiver.includes('dyn') || receiver.includes(type);
  return functions.filter((one) => one.onValue && accepts(one)).map((one) => functionCompletion(one, 2));
}

const functionCompletion = ({ name, signature }: ExpressionFunction, rank: number): ExpressionCompletion => ({
  label: name,
  kind: 'function',
  text: `${name}(`,
  detail: signature,
  rank,
});
