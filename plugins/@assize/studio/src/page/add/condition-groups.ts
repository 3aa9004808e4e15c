import { type Condition, conditionIn, conditionText, conditionWords, firstCondition } from './conditions.js';
import type { FieldFacts } from './field-facts.js';

/** Conditions of which all or any must hold. */
export interface ConditionGroup {
  readonly join: 'all' | 'any';
  /** Conditions, and in the outer group also groups. */
  readonly parts: readonly (Condition | ConditionGroup)[];
  /** The expression in the file, if it is another text with the same meaning. */
  readonly written?: string;
}

/** Groups in groups in groups are not read in words. */
const DEPTH = 2;

const SIGNS = { all: ' && ', any: ' || ' } as const;

export const isGroup = (part: Condition | ConditionGroup): part is ConditionGroup => 'join' in part;

/** A group with one condition. */
export const groupOf = (condition: Condition): ConditionGroup => ({ join: 'all', parts: [condition] });

/** A group with one condition on a field. */
export const firstGroup = (field: FieldFacts): ConditionGroup => groupOf(firstCondition(field));

/** The expression of a group; undefined if a condition is not complete. */
export function groupText({ join, parts, written }: ConditionGroup): string | undefined {
  if (written !== undefined) return written;
  const texts = parts.map((part) => {
    const text = isGroup(part) ? groupText(part) : conditionText(part);
    const needsBrackets = parts.length > 1 && (isGroup(part) || splitAt(text ?? '', '||').length > 1);
    return needsBrackets && text !== undefined ? `(${text})` : text;
  });
  return texts.every((text) => text !== undefined) && texts.length > 0 ? texts.join(SIGNS[join]) : undefined;
}

/** A group in words: `stock is 0 and (brand is “Lund” or price is more than 90)`. */
export function groupWords({ join, parts }: ConditionGroup): string {
  const words = parts.map((part) => {
    if (!isGroup(part)) return conditionWords(part);
    return part.parts.length > 1 && parts.length > 1 ? `(${groupWords(part)})` : groupWords(part);
  });
  return words.join(join === 'all' ? ' and ' : ' or ');
}

/** The conditions that an expression joins by `&&` and `||`; undefined if it has another form, or deeper groups. */
export function groupIn(text: string, fields: readonly FieldFacts[]): ConditionGroup | undefined {
  const part = partIn(text, fields, 0);
  if (!part) return undefined;
  const group = isGroup(part) ? part : groupOf(part);
  return groupText({ join: group.join, parts: group.parts }) === text ? group : { ...group, written: text };
}

function partIn(text: string, fields: readonly FieldFacts[], depth: number): Condition | ConditionGroup | undefined {
  const inner = withoutBrackets(text.trim());
  const single = conditionIn(inner, fields);
  if (single) return single;
  for (const [join, sign] of [['any', '||'] as const, ['all', '&&'] as const]) {
    const texts = splitAt(inner, sign);
    if (texts.length === 1) continue;
    const parts = depth >= DEPTH ? [] : texts.map((one) => partIn(one, fields, depth + 1));
    const known = parts.filter((part) => part !== undefined);
    return known.length === texts.length ? { join, parts: known } : undefined;
  }
  return undefined;
}

const CLOSING: Readonly<Record<string, number>> = { '(': 1, '[': 1, '{': 1, ')': -1, ']': -1, '}': -1 };

/** Texts, brackets, the signs that join conditions, and other characters. */
const TOKENS = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|&&|\|\||[^]/g;

/** The parts of an expression between signs that are in no brackets. */
function splitAt(text: string, sign: string): readonly string[] {
  const parts: string[] = [''];
  let depth = 0;
  for (const [token] of text.matchAll(TOKENS)) {
    depth += CLOSING[token] ?? 0;
    if (token === sign && depth === 0) parts.push('');
    else parts[parts.length - 1] += token;
  }
  return parts;
}

/** An expression without the brackets around all of it. */
function withoutBrackets(text: string): string {
  if (!text.startsWith('(') || !text.endsWith(')')) return text;
  let depth = 0;
  let end = 0;
  for (const match of text.matchAll(TOKENS)) {
    depth += CLOSING[match[0]] ?? 0;
    end = match.index;
    if (depth === 0) break;
  }
  return end === text.length - 1 ? withoutBrackets(text.slice(1, -1).trim()) : text;
}
