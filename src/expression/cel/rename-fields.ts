import type { ASTNode } from '@marcbachmann/cel-js';
import type { FieldNames } from '../compile-path.js';
import type { PathStep } from '../path.js';
import { CANDIDATE_VARIABLE } from '../scope.js';
import type { NodeOf } from './checked-node.js';

/**
 * Renames the candidate's fields in the text of an expression. It does not rename computed fields, or expressions that
 * read the candidate as a whole.
 */
export function renameFields(source: string, syntax: ASTNode, names: FieldNames): string {
  const edits: Edit[] = [];
  visit(syntax, names, source, edits);
  return edits
    .toSorted((a, b) => b.start - a.start)
    .reduce((text, { start, end, text: by }) => text.slice(0, start) + by + text.slice(end), source);
}

type Access = NodeOf<'.' | '.?' | '[]' | '[?]'>;

/** A part of the source, and its replacement. */
interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

const isAccess = (node: ASTNode): node is Access => ['.', '.?', '[]', '[?]'].includes(node.op);

const isNode = (part: unknown): part is ASTNode => typeof part === 'object' && part !== null && 'op' in part;

function visit(part: unknown, names: FieldNames, source: string, edits: Edit[]): void {
  if (Array.isArray(part)) for (const inner of part) visit(inner, names, source, edits);
  if (!isNode(part)) return;
  const chain = isAccess(part) ? chainOf(part) : undefined;
  if (chain) {
    edits.push(...editsOf(chain, names, source));
    for (const { args } of chain.accesses) visit(args[1], names, source, edits); // computed keys
  } else if (part.op === 'rcall' && hidesCandidate(part)) visit(part.args[1], names, source, edits);
  else visit(part.args, names, source, edits);
}

/** Whether a macro's element variable has the name `candidate`. */
const hidesCandidate = ({ args: [, , [variable]] }: NodeOf<'rcall'>): boolean =>
  variable?.op === 'id' && variable.args === CANDIDATE_VARIABLE;

/** A field of the candidate, and the accesses after it. */
interface Chain {
  readonly base: ASTNode;
  /** The accesses in the order of the source. */
  readonly accesses: readonly Access[];
}

/** The edit of a chain that begins with a renamed field. */
function editsOf({ base, accesses }: Chain, names: FieldNames, source: string): readonly Edit[] {
  const keys = accesses.map(keyOf);
  const computed = keys.indexOf(undefined);
  const steps = (computed < 0 ? keys : keys.slice(0, computed)).filter((step) => step !== undefined);
  const found = names.find(steps);
  if (!found) return [];
  const replaced = accesses.slice(0, found.length);
  const optional = replaced.some(({ op }) => op === '.?' || op === '[?]');
  const closing = [base, ...replaced.slice(0, -1)].map(({ end }) => closers(source, end)).join('');
  return [{ start: base.end, end: replaced.at(-1)!.end, text: closing + accessText(found.target, optional) }];
}

/** The accesses to the candidate; undefined if the chain reads something else. */
function chainOf(node: Access): Chain | undefined {
  const accesses: Access[] = [];
  let at: ASTNode = node;
  while (isAccess(at)) {
    accesses.push(at);
    at = at.args[0];
  }
  return at.op === 'id' && at.args === CANDIDATE_VARIABLE ? { base: at, accesses: accesses.toReversed() } : undefined;
}

function keyOf({ args: [, field] }: Access): PathStep | undefined {
  const key: unknown = typeof field === 'string' ? field : field.op === 'value' ? field.args : undefined;
  return typeof key === 'string' ? { kind: 'key', key } : undefined;
}

/** The number of parentheses that are closed at an offset. */
const closers = (source: string, at: number): string => /^[\s)]*/.exec(source.slice(at))?.[0].replace(/\s/g, '') ?? '';

/** Names that CEL allows after a dot. */
const NAME =
  /^(?!(?:true|false|null|in|as|break|const|continue|else|for|function|if|import|let|loop|package|namespace|return|var|void|while)$)[A-Za-z_]\w*$/;

function accessText(steps: readonly PathStep[], optional: boolean): string {
  return steps
    .map((step, k) => {
      const mark = optional && k === 0 ? '?' : '';
      if (step.kind === 'key' && NAME.test(step.key)) return `.${mark}${step.key}`;
      return `[${mark}${step.kind === 'key' ? JSON.stringify(step.key) : step.kind === 'index' ? step.index : ''}]`;
    })
    .join('');
}
