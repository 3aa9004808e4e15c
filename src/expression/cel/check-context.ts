import type { ASTNode } from '@marcbachmann/cel-js';
import type { ExpressionProblem, ExpressionScope } from '../scope.js';
import { type CelType, type CheckedNode, describeType, isAssignable, type Local } from './checked-node.js';

/** A node of the parser's tree with a certain operator. */
export type NodeOf<Op extends ASTNode['op']> = Extract<ASTNode, { op: Op }>;

/** A range of the source, as offsets. */
export interface SourceRange {
  readonly start: number;
  readonly end: number;
}

/** Replaces a node that has a problem, so that the checks continue and find further problems. */
const ERROR_NODE: CheckedNode = { op: 'constant', value: undefined, type: 'dyn' };

/** The shared state of the checks of one expression: its scope and their findings so far. */
export abstract class CheckContext {
  readonly problems: ExpressionProblem[] = [];
  /** Variables and record fields that are read. */
  readonly reads = new Set<string>();
  readonly candidatePaths = new Set<string>();
  /** The candidate's paths that may be absent without making the result absent, such as the operand of `has`. */
  readonly optionalPaths = new Set<string>();
  /** The `reads` that may be absent without making the result absent. */
  readonly optionalReads = new Set<string>();
  /** The elements of the macros around the node being checked, innermost last. */
  readonly locals: Local[] = [];
  /** Above zero inside an operand that may be absent. */
  optionalDepth = 0;

  constructor(readonly scope: ExpressionScope) {}

  /** Checks a node and its operands. */
  abstract check(node: ASTNode): CheckedNode;

  /** Checks a node that may be absent. */
  checkOptional(node: ASTNode): CheckedNode {
    this.optionalDepth += 1;
    const checked = this.check(node);
    this.optionalDepth -= 1;
    return checked;
  }

  /** Adds a problem and returns the replacement of the node. */
  addProblem(range: SourceRange, message: string, hint?: string): CheckedNode {
    const length = Math.max(range.end - range.start, 1);
    const problem = { message, offset: range.start, length, kind: 'type' as const };
    this.problems.push(hint === undefined ? problem : { ...problem, hint });
    return ERROR_NODE;
  }

  /** Adds a problem unless the value may have one of the types that the operation needs. */
  expectType(node: ASTNode, found: CheckedNode, operation: string, ...wanted: readonly CelType[]): void {
    if (isAssignable(found.type, ...wanted)) return;
    const needs = wanted.map(describeType).join(' or ');
    this.addProblem(node, `${operation} needs ${needs}, found ${describeType(found.type)}`);
  }
}
