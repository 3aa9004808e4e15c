import type { CheckedNode } from '../../expression/cel/checked-node.js';
import { CANDIDATE_VARIABLE } from '../../expression/scope.js';
import type { Arithmetic } from '../values/arithmetic.js';
import type { Fields } from '../values/fields.js';
import type { RunFacts } from './run-facts.js';
import type { SqlBool, SqlKind, SqlNumber, SqlText, SqlValue } from '../values/values.js';

/** Translates the parts of an expression, for what is made of them. */
export interface ExpressionParts {
  readonly numbers: Arithmetic;
  readonly fields: Fields;
  readonly run: RunFacts;
  number(tree: CheckedNode): SqlNumber;
  bool(tree: CheckedNode): SqlBool;
  text(tree: CheckedNode): SqlText;
  value(tree: CheckedNode, kind: SqlKind): SqlValue;
  /** The kind of a value where that is known before any row is; undefined where each row has its own. */
  kindOf(tree: CheckedNode): SqlKind | undefined;
}

/** Whether a part is the candidate itself. */
export const isCandidate = (tree: CheckedNode): boolean => tree.op === 'variable' && tree.name === CANDIDATE_VARIABLE;
