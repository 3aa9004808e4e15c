import type { PathStep } from '../path-syntax.js';

/** An operator of two values, both of which must be present. */
export type BinaryOp = '==' | '!=' | '<' | '<=' | '>' | '>=' | '%' | 'in';
/** An operator that chains: `a + b + c` is one node. */
export type ChainOp = '+' | '-' | '*' | '/' | '&&' | '||';

/**
 * An expression after checking: names resolved, chains flattened, constants folded. Chains are flat because V8 does not
 * inline a function text directly into itself.
 */
export type CheckedNode = { readonly type: CelType } & (
  | { readonly op: 'constant'; readonly value: unknown }
  | { readonly op: 'variable'; readonly name: string; readonly field?: string }
  | { readonly op: 'local'; readonly local: Local }
  | { readonly op: 'path'; readonly of: CheckedNode; readonly steps: readonly PathStep[] }
  | { readonly op: 'index'; readonly of: CheckedNode; readonly key: CheckedNode }
  | { readonly op: 'chain'; readonly by: ChainOp; readonly parts: readonly CheckedNode[] }
  | { readonly op: 'binary'; readonly by: BinaryOp; readonly left: CheckedNode; readonly right: CheckedNode }
  | { readonly op: 'not' | 'negate' | 'has'; readonly of: CheckedNode }
  | {
      readonly op: 'choose';
      readonly cases: readonly (readonly [test: CheckedNode, then: CheckedNode])[];
      readonly otherwise: CheckedNode;
    }
  | { readonly op: 'default'; readonly of: CheckedNode; readonly otherwise: CheckedNode }
  | { readonly op: 'list'; readonly parts: readonly CheckedNode[] }
  | { readonly op: 'map'; readonly entries: readonly (readonly [key: CheckedNode, value: CheckedNode])[] }
  | { readonly op: 'call'; readonly name: string; readonly args: readonly CheckedNode[] }
  | {
      readonly op: 'macro';
      readonly name: MacroName;
      readonly list: CheckedNode;
      readonly local: Local;
      readonly body: MacroBody;
    }
);

export type MacroName = 'all' | 'exists' | 'exists_one' | 'filter' | 'map';

/** What a macro evaluates for each element: a test in `filter` and the quantifiers; in `map` a value, after an optional test. */
interface MacroBody {
  readonly test?: CheckedNode;
  readonly value?: CheckedNode;
}

/**
 * The variable of a macro: its current element. One slot is enough, as evaluation is synchronous and no macro recurses.
 */
export interface Local {
  readonly name: string;
}

/** The direct operands of a node. */
export function partsOf(tree: CheckedNode): readonly CheckedNode[] {
  switch (tree.op) {
    case 'path':
    case 'not':
    case 'negate':
    case 'has':
      return [tree.of];
    case 'index':
      return [tree.of, tree.key];
    case 'chain':
    case 'list':
      return tree.parts;
    case 'binary':
      return [tree.left, tree.right];
    case 'choose':
      return [...tree.cases.flat(), tree.otherwise];
    case 'default':
      return [tree.of, tree.otherwise];
    case 'map':
      return tree.entries.flat();
    case 'call':
      return tree.args;
    case 'macro':
      return [tree.list, tree.body.test, tree.body.value].filter((part) => part !== undefined);
    default:
      return [];
  }
}

/**
 * The static type of a value. Absence is not a type: any read of data may be absent. A `date` is a field that the schema
 * of the data declares as a date. In arithmetic it is a number of milliseconds.
 */
export type CelType = 'number' | 'string' | 'bool' | 'null' | 'list' | 'map' | 'date' | 'dyn';

/** The type in a message, with its article. */
export const describeType = (type: CelType): string => {
  if (type === 'dyn') return 'anything';
  if (type === 'null') return 'null';
  return `a ${type}`;
};

/** The type of a value that has one of two types. */
export const joinTypes = (a: CelType, b: CelType): CelType => (a === b ? a : 'dyn');

/** Whether a value of a type may have one of the wanted types. */
export const isAssignable = (type: CelType, ...wanted: readonly CelType[]): boolean =>
  type === 'dyn' ||
  wanted.includes('dyn') ||
  wanted.includes(type) ||
  (type === 'date' && wanted.includes('number')) ||
  (type === 'number' && wanted.includes('date'));
