import type { PathStep } from '../path-syntax.js';
import type { Type } from './types.js';

/** An operator whose operands are two values of which both must be present. */
export type BinaryOp = '==' | '!=' | '<' | '<=' | '>' | '>=' | '%' | 'in';
/** An operator that chains: `a + b + c` is one node. */
export type ChainOp = '+' | '-' | '*' | '/' | '&&' | '||';

/**
 * An expression after checking: names resolved, chains flattened, constants folded. Flat, because the engine that
 * runs it does not inline a function text directly into itself.
 */
export type Tree = { readonly type: Type } & (
  | { readonly op: 'constant'; readonly value: unknown }
  | { readonly op: 'variable'; readonly name: string; readonly field?: string }
  | { readonly op: 'local'; readonly local: Local }
  | { readonly op: 'path'; readonly of: Tree; readonly steps: readonly PathStep[] }
  | { readonly op: 'index'; readonly of: Tree; readonly key: Tree }
  | { readonly op: 'chain'; readonly by: ChainOp; readonly parts: readonly Tree[] }
  | { readonly op: 'binary'; readonly by: BinaryOp; readonly left: Tree; readonly right: Tree }
  | { readonly op: 'not' | 'negate' | 'has'; readonly of: Tree }
  | { readonly op: 'choose'; readonly cases: readonly (readonly [test: Tree, then: Tree])[]; readonly otherwise: Tree }
  | { readonly op: 'default'; readonly of: Tree; readonly otherwise: Tree }
  | { readonly op: 'list'; readonly parts: readonly Tree[] }
  | { readonly op: 'map'; readonly entries: readonly (readonly [key: Tree, value: Tree])[] }
  | { readonly op: 'call'; readonly name: string; readonly args: readonly Tree[] }
  | {
      readonly op: 'macro';
      readonly name: MacroName;
      readonly list: Tree;
      readonly local: Local;
      readonly body: MacroBody;
    }
);

export type MacroName = 'all' | 'exists' | 'exists_one' | 'filter' | 'map';

/** What a macro asks of each element: `filter` and the quantifiers a test, `map` a value, perhaps after a test. */
export interface MacroBody {
  readonly test?: Tree;
  readonly value?: Tree;
}

/** The element that a macro is at. A cell is enough: evaluation is synchronous and a macro never runs inside itself. */
export interface Local {
  readonly name: string;
}
