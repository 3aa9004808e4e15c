import type { ASTNode } from '@marcbachmann/cel-js';
import type { ExpressionProblem, ExpressionScope } from '../scope.js';
import { type CelType, type CheckedNode, describeType, isAssignable, type Local } from './checked-node.js';

/** A node of the parser's tree with a certain operator. */
export type NodeOf<Op extends ASTNode['op']> = Extract<ASTNode, { op: Op }>;

/** Where something stands in the source. */
export interface SourceRange {
  readonly start: number;
  readonly end: number;
}

/** What replaces a node with a problem, so that checking goes on and finds the rest. */
const ERROR_NODE: CheckedNode = { op: 'constant', value: undefined, type: 'dyn' };

/** What the checks of one expression share: its scope, and what they have found so far. */
export abstract class CheckContext {
  readonly problems: ExpressionProblem[] = [];
  /** Variables and record fields that are read. */
  readonly reads = new Set<string>();
  readonly candidatePaths = new Set<string>();
  /** The candidate's paths whose absence the expression provides for. */
  readonly optionalPaths = new Set<string>();
  /** Those of `reads` whose absence the expression provides for. */
  readonly optionalReads = new Set<string>();
  /** The elements of the macros around the node being checked, innermost last. */
  readonly locals: Local[] = [];
  /** Above zero inside an operand whose absence is provided for. */
  optionalDepth = 0;

  constructor(readonly scope: ExpressionScope) {}

  /** Checks a node with all that is in it. */
  abstract check(node: ASTNode): CheckedNode;

  /** Checks a node whose absence is provided for. */
  checkOptional(node: ASTNode): CheckedNode {
    this.optionalDepth += 1;
    const checked = this.check(node);
    this.optionalDepth -= 1;
    return checked;
  }

  /** Adds a problem and gives what replaces the node. */
  addProblem(range: SourceRange, message: string, hint?: string): CheckedNode {
    const length = Math.max(range.end - range.start, 1);
    const problem = { message, offset: range.start, length, kind: 'type' as const };
    this.problems.push(hint === undefined ? problem : { ...problem, hint });
    return ERROR_NODE;
  }

  /** Adds a problem unless a value may be of one of the types that an operation needs. */
  expectType(node: ASTNode, found: CheckedNode, operation: string, ...wanted: readonly CelType[]): void {
    if (isAssignable(found.type, ...wanted)) return;
    const needs = wanted.map(describeType).join(' or ');
    this.addProblem(node, `${operation} needs ${needs}, found ${describeType(found.type)}`);
  }
}
