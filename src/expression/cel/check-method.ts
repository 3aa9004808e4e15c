import type { ASTNode } from '@marcbachmann/cel-js';
import { checkBuiltin } from './check-call.js';
import type { CheckContext, NodeOf, SourceRange } from './check-context.js';
import type { CheckedNode, MacroName } from './checked-node.js';
import { joinTypes } from './types.js';

type MethodCall = NodeOf<'rcall'>;

/** A call after a dot: `x.f(y)`, a macro, or a test for absence. */
export function checkMethod(context: CheckContext, node: MethodCall): CheckedNode {
  const [name, receiver, args] = node.args;
  switch (name) {
    case 'orValue':
      return checkOrValue(context, node);
    case 'hasValue':
      if (args.length > 0) return context.addProblem(node, `hasValue() takes nothing, found ${args.length} arguments`);
      return { op: 'has', of: context.checkOptional(receiver), type: 'bool' };
    case 'all':
    case 'exists':
    case 'exists_one':
    case 'filter':
    case 'map':
      return checkMacro(context, node, name);
    default:
      return checkBuiltin(context, node, methodNameRange(node), name, [receiver, ...args]);
  }
}

/** The place of the method's name: after the receiver, its closing parentheses and the dot. */
function methodNameRange(node: MethodCall): SourceRange {
  const [name, receiver] = node.args;
  const start = node.input.indexOf(name, node.input.indexOf('.', receiver.end));
  return start < 0 ? node : { start, end: start + name.length };
}

function checkOrValue(context: CheckContext, node: MethodCall): CheckedNode {
  const [, receiver, [fallback, ...more]] = node.args;
  if (fallback === undefined || more.length > 0) {
    return context.addProblem(node, 'orValue() takes one argument: what stands in where the value is absent');
  }
  const of = context.checkOptional(receiver);
  const otherwise = context.check(fallback);
  return { op: 'default', of, otherwise, type: joinTypes(of.type, otherwise.type) };
}

const MACRO_FORMS: Readonly<Record<MacroName, string>> = {
  all: 'all(x, test)',
  exists: 'exists(x, test)',
  exists_one: 'exists_one(x, test)',
  filter: 'filter(x, test)',
  map: 'map(x, value) or map(x, test, value)',
};

function checkMacro(context: CheckContext, node: MethodCall, name: MacroName): CheckedNode {
  const [, receiver, [variable, first, second, ...more]] = node.args;
  const list = context.check(receiver);
  context.expectType(receiver, list, `${name}()`, 'list', 'map');
  const tooMany = more.length > 0 || (second !== undefined && name !== 'map');
  if (variable === undefined || variable.op !== 'id' || first === undefined || tooMany) {
    return context.addProblem(node, `${name}() is not complete`, `write xs.${MACRO_FORMS[name]}`);
  }
  const local = { name: variable.args };
  context.locals.push(local);
  const [test, value] =
    name === 'map' ? [second === undefined ? undefined : first, second ?? first] : [first, undefined];
  const body = {
    ...(test === undefined ? {} : { test: checkTest(context, name, test) }),
    ...(value === undefined ? {} : { value: context.check(value) }),
  };
  context.locals.pop();
  return { op: 'macro', name, list, local, body, type: name === 'filter' || name === 'map' ? 'list' : 'bool' };
}

function checkTest(context: CheckContext, name: MacroName, node: ASTNode): CheckedNode {
  const test = context.check(node);
  context.expectType(node, test, `the test of ${name}()`, 'bool');
  return test;
}
