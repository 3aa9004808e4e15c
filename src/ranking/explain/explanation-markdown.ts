import { escapeInvisible } from '../../base/index.js';
import { candidateName } from './comparison.js';
import type { Explanation, ExplanationColumn, ExplanationNode } from './explanation.js';
import { checkExplanation, nameOfNode, numberText } from './text-parts.js';

/**
 * An explanation as nested lists of Markdown, for a comment or a page: every entry with its number, its weight and why, and
 * the fields that it read.
 */
export function explanationMarkdown(explanation: Explanation): string {
  checkExplanation('explanationMarkdown', explanation);
  const { profile, text, details } = explanation;
  const title = `**${escapeMarkdown(candidateName(explanation))}**: ${escapeMarkdown(text)} (${escapeMarkdown(profile)})`;
  const stages = details.filter(({ id }) => id !== 'select'); // the title says it
  return `${[title, '', ...stages.flatMap((node) => listItem(node, '', []))].join('\n')}\n`;
}

/** @param columns the numbers of the node that its stage lists */
function listItem(node: ExplanationNode, indent: string, columns: readonly ExplanationColumn[]): readonly string[] {
  const own = node.kind === 'stage' || node.kind === 'combine' ? (node.columns ?? []) : [];
  const line = lineOf(node, columns);
  const inner = node.details.flatMap((detail) => listItem(detail, `${indent}  `, own));
  return line === undefined ? inner : [`${indent}- ${line}`, ...inner];
}

/** The states that neither the number nor the text of a node says. */
const SHOWN_STATES: ReadonlySet<string | undefined> = new Set(['passed', 'refused', 'not_fired', 'not_evaluated']);

/** The text of a node; undefined for a note, whose text its entry has. */
function lineOf(node: ExplanationNode, columns: readonly ExplanationColumn[]): string | undefined {
  const { kind, state, text } = node;
  // The escaped start would begin a list of its own.
  if (kind === 'field') return escapeMarkdown(text).replace(/^(\d*)([-+.)])/, String.raw`$1\$2`);
  if (kind === 'step') return `**${escapeMarkdown(text)}** → ${numberText(numberIn(node, 'value'))}`;
  if (kind === 'note') {
    const problem: unknown = Reflect.get(node, 'problem');
    return typeof problem === 'string' ? escapeMarkdown(problem) : undefined;
  }
  const isShown = SHOWN_STATES.has(state);
  const result = isShown ? ` ${String(state).replace('_', ' ')}` : arithmetic(node, columns);
  // A stage of which nothing was evaluated: its entries say so.
  const name = `**${escapeMarkdown(nameOfNode(node))}**${kind === 'combine' && isShown ? '' : result}`;
  return text === '' || text === nameOfNode(node) ? name : `${name}: ${escapeMarkdown(text)}`;
}

/** The numbers of a scorer as its row in the table has them, `0.85 × 0.5 = 0.425`; of another node its value. */
function arithmetic(node: ExplanationNode, columns: readonly ExplanationColumn[]): string {
  if (node.kind !== 'scorer') {
    const value = numberIn(node, 'value');
    const weight = node.kind === 'entry' ? numberIn(node, 'weight') : undefined;
    return `${value === undefined ? '' : ` ${numberText(value)}`}${weight === undefined ? '' : `, weight ${numberText(weight)}`}`;
  }
  const cells = columns.flatMap(({ key, head }, k) => {
    const value = numberIn(node, key);
    if (value === undefined) return [];
    const [sign = ''] = /^[×^=]/u.exec(head) ?? [];
    const label = sign === '' && k > 0 ? `${head} ` : sign && `${sign} `;
    return [`${k > 0 && sign === '' ? ', ' : ' '}${label}${numberText(value)}`];
  });
  return cells.join('');
}

const numberIn = (node: ExplanationNode, key: string): number | undefined => {
  const value: unknown = Reflect.get(node, key);
  return typeof value === 'number' ? value : undefined;
};

/** A text without the characters that have a meaning in Markdown. */
const escapeMarkdown = (text: string): string => escapeInvisible(text).replace(/[\\`*_[\]<>#|~&$]/g, String.raw`\$&`);
