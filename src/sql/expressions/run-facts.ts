import type { Context, Signals } from '../../contract/index.js';
import { toError } from '../../diagnostics/index.js';
import { type CheckedNode, partsOf } from '../../expression/cel/checked-node.js';
import { compile } from '../../expression/cel/compile.js';
import type { VariableBindings } from '../../expression/index.js';
import { Untranslatable } from '../untranslatable.js';

/** What is the same for every candidate of a run. */
export interface RunFacts {
  readonly now: number;
  readonly context: Context;
  readonly signals: Signals;
}

const NAMES = new Set(['now', 'context', 'signals']);

/** Whether a part of an expression reads nothing that differs by candidate. */
const isSameForAll = (tree: CheckedNode): boolean =>
  tree.op === 'variable' ? NAMES.has(tree.name) : partsOf(tree).every(isSameForAll);

/** The value of a part of an expression that is the same for every candidate, by the engine itself; undefined for any other. */
export function runValue(run: RunFacts, tree: CheckedNode): { readonly value: unknown } | undefined {
  if (tree.op === 'local' || !isSameForAll(tree)) return undefined;
  try {
    const bindings = { now: () => run.now, context: contextBinding(run, tree), signals: () => run.signals };
    return { value: compile(tree, bindings, { source: '', place: undefined })(undefined, 0) };
  } catch (error) {
    throw new Untranslatable(`it fails: ${toError(error).message}`);
  }
}

/** A context whose fields a profile declares is read field by field, any other as a whole. */
function contextBinding({ context }: RunFacts, tree: CheckedNode): VariableBindings[string] {
  const names = fieldsRead(tree);
  if (names.length === 0) return () => context;
  return Object.fromEntries(names.map((name) => [name, () => context[name]]));
}

const fieldsRead = (tree: CheckedNode): readonly string[] =>
  tree.op === 'variable' && tree.name === 'context' && tree.field !== undefined
    ? [tree.field]
    : partsOf(tree).flatMap(fieldsRead);
