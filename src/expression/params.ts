import { z } from 'zod';
import type { Expression, ResultType } from './expression.js';
import { ExpressionError } from './errors.js';
import { parseExpression } from './parse-expression.js';
import { compilePath, type PathReader } from './path/compile-path.js';
import { PathError } from './path/path-syntax.js';
import type { ExpressionScope } from './scope.js';
import { parseDuration } from './time.js';

/** What an expression in a param can see, unless its unit says otherwise. */
const PARAM_SCOPE: ExpressionScope = {
  name: 'a param',
  variables: { candidate: 'map', context: 'dyn', signals: 'dyn', now: 'number' },
};

/** The one that holds while a selector's params are checked: a schema cannot know the scorers and measures of a profile. */
let currentParamScope = PARAM_SCOPE;

/** Checks params (synchronously), whose expressions see what `scope` says unless their unit says otherwise. */
export function withParamScope<R>(scope: ExpressionScope, check: () => R): R {
  const outer = currentParamScope;
  currentParamScope = scope;
  try {
    return check();
  } finally {
    currentParamScope = outer;
  }
}

/** One thing that is wrong with a param: where in its text, and what to do, are for whoever shows it. */
interface ParamProblem {
  readonly message: string;
  readonly offset?: number;
  readonly length?: number;
  readonly hint?: string;
  /** Of an expression: what is wrong with it has a code of its own. */
  readonly kind?: 'syntax' | 'type';
}

/** What was thrown, as mistakes of whoever wrote the param; anything else is thrown on. */
function paramProblemsOf(error: unknown): readonly ParamProblem[] {
  if (error instanceof ExpressionError) return error.problems;
  if (error instanceof PathError || error instanceof TypeError) return [error];
  throw error;
}

/** A transform that turns what `make` throws into issues of the param. */
const transformOrIssues =
  <I, O>(make: (value: I) => O) =>
  (value: I, ctx: z.RefinementCtx<I>): O => {
    try {
      return make(value);
    } catch (error) {
      for (const { message, offset, length, hint, kind } of paramProblemsOf(error)) {
        ctx.issues.push({ code: 'custom', input: value, message, params: { offset, length, hint, kind } });
      }
      return z.NEVER;
    }
  };

/** Makes a param of a schema: required, or with what stands in where a profile does not say it. */
function param<S extends z.ZodType>(schema: S) {
  function make(): S;
  function make(fallback: z.input<S>): z.ZodPrefault<S>;
  function make(fallback?: z.input<S>) {
    return fallback === undefined ? schema : z.prefault(schema, fallback);
  }
  return make;
}

const PATH_FORMS = 'a.b, metadata["x:y"], steps[0].type, steps[].tool.name, title? where no candidate may have it';

const pathSchema = z
  .string()
  .meta({ title: 'path', description: `A path into the candidate: ${PATH_FORMS}.` })
  .transform(transformOrIssues(compilePath));

const pathsSchema = z
  .union([z.string(), z.array(z.string()).min(1)])
  .meta({ title: 'path or paths', description: `A path into the candidate, or a list of them: ${PATH_FORMS}.` })
  .transform(transformOrIssues((text): readonly PathReader[] => [text].flat().map(compilePath)));

const durationSchema = z
  .union([z.string(), z.number()])
  .meta({ title: 'duration', description: 'A duration: 500ms, 5s, 30m, 24h, 7d, or milliseconds.' })
  .transform(transformOrIssues(parseDuration));

/** A param that is a path into the candidate. Its value reads that path. */
export const path = param(pathSchema);

const itemPathSchema = z
  .string()
  .meta({ title: 'path in an item', description: `A path into an item of a list: ${PATH_FORMS}.` })
  .transform(transformOrIssues((text): PathReader => Object.assign(compilePath(text), { of: 'item' as const })));

/** A param that is a path into the items of a list that another param names. Its value reads an item. */
export const itemPath = param(itemPathSchema);

const contextPathSchema = z
  .string()
  .meta({ title: 'path in the context', description: `A path into the run’s context: ${PATH_FORMS}.` })
  .transform(transformOrIssues((text): PathReader => Object.assign(compilePath(text), { of: 'context' as const })));

/** A param that is a path into the context of a run. Its value reads that context. */
export const contextPath = param(contextPathSchema);

/** A param that is a path or a list of paths. Its value is a list of readers. */
export const paths = param(pathsSchema);

/** A param that is a duration. Its value is in milliseconds. */
export const duration = param(durationSchema);

/** How an expression in a param is checked. */
export interface ExpressionOptions {
  /** What it can see; `candidate`, `context`, `signals` and `now` when not said, and a selector's what `pack.cost` sees. */
  readonly scope?: ExpressionScope;
  /** What it has to give; anything when not said. */
  readonly want?: ResultType;
}

/** A param that is a CEL expression. Its value is to be bound. */
export const expression = ({ scope, want = 'any' }: ExpressionOptions = {}) =>
  z
    .string()
    .meta({
      title: 'expression',
      description: `A CEL expression of ${Object.keys((scope ?? PARAM_SCOPE).variables).join(', ')}.`,
    })
    .transform(transformOrIssues((source): Expression => parseExpression(source, scope ?? currentParamScope, want)));
