import * as z from 'zod';
import { ExpressionError, type ExpressionScope } from './scope.js';
import { type Expression, parseExpression, type ResultType } from './parse-expression.js';
import { compileCandidatePath, compilePath, type PathReader } from './compile-path.js';
import { PathError } from './path-syntax.js';
import { parseDuration } from './time.js';
import { compileTimeFormat } from './time-format.js';
import { SyncVariable } from './sync-variable.js';

/** The scope of an expression in a param, unless its unit specifies another. */
const PARAM_SCOPE: ExpressionScope = {
  name: 'a param',
  variables: { candidate: 'map', context: 'dyn', signals: 'dyn', now: 'number' },
};

/** The default scope of expressions in params. A selector's also has the scorers and measures of the profile. */
const currentParamScope = new SyncVariable<ExpressionScope>(PARAM_SCOPE);

/** Runs a synchronous check of params. Their expressions have this scope unless their unit specifies another. */
export const withParamScope = <R>(scope: ExpressionScope, check: () => R): R => currentParamScope.run(scope, check);

/** A problem of a param, with its place in the param's text and a hint. */
interface ParamProblem {
  readonly message: string;
  readonly offset?: number;
  readonly length?: number;
  readonly hint?: string;
  /** For an expression, whose problems have their own codes. */
  readonly kind?: 'syntax' | 'type';
}

/** The problems in an error. Throws the error again if it is not about the param. */
function paramProblemsOf(error: unknown): readonly ParamProblem[] {
  if (error instanceof ExpressionError) return error.problems;
  if (error instanceof PathError || error instanceof TypeError) return [error];
  throw error;
}

/** A zod transform that reports the errors of `make` as issues of the param. */
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

/** A param of a schema: required, or with a default value. */
function param<S extends z.ZodType>(schema: S) {
  function make(): S;
  function make(fallback: z.input<S>): z.ZodPrefault<S>;
  function make(fallback?: z.input<S>) {
    return fallback === undefined ? schema : z.prefault(schema, fallback);
  }
  return make;
}

const PATH_FORMS = 'a.b, metadata["x:y"], steps[0].type, steps[].tool.name, title? if no candidate may have it';

const pathSchema = z
  .string()
  .meta({ title: 'path', description: `A path into the candidate: ${PATH_FORMS}.` })
  .transform(transformOrIssues(compileCandidatePath));

const pathsSchema = z
  .union([z.string(), z.array(z.string()).min(1)])
  .meta({ title: 'path or paths', description: `A path into the candidate, or a list of them: ${PATH_FORMS}.` })
  .transform(transformOrIssues((text): readonly PathReader[] => [text].flat().map(compileCandidatePath)));

const durationSchema = z
  .union([z.string(), z.number()])
  .meta({ title: 'duration', description: 'A duration: 500ms, 5s, 30m, 24h, 7d, 2w, 1y, or milliseconds.' })
  .transform(transformOrIssues(parseDuration));

/** A param that is a path into the candidate. Its value is a reader. */
export const path = param(pathSchema);

const itemPathSchema = z
  .string()
  .meta({ title: 'path in an item', description: `A path into an item of a list: ${PATH_FORMS}.` })
  .transform(transformOrIssues((text): PathReader => Object.assign(compilePath(text), { of: 'item' as const })));

/** A param that is a path into the items of a list that another param names. Its value is a reader. */
export const itemPath = param(itemPathSchema);

const contextPathSchema = z
  .string()
  .meta({ title: 'path in the context', description: `A path into the run’s context: ${PATH_FORMS}.` })
  .transform(transformOrIssues((text): PathReader => Object.assign(compilePath(text), { of: 'context' as const })));

/** A param that is a path into the context of a run. Its value is a reader. */
export const contextPath = param(contextPathSchema);

/** A param that is a path or a list of paths. Its value is a list of readers. */
export const paths = param(pathsSchema);

const TIME_FORMAT = 'yyyy/MM/dd HH:mm, d MMM yyyy, MM/dd/yyyy hh:mm a';

const timeFormatSchema = z
  .string()
  .meta({ title: 'time format', description: `The format of a time: ${TIME_FORMAT}.` })
  .transform(transformOrIssues(compileTimeFormat));

/** A param that is the format of times in texts, in Unicode's letters. Its value parses a text. */
export const timeFormat = param(timeFormatSchema);

/** A param that is a duration. Its value is in milliseconds. */
export const duration = param(durationSchema);

/** How an expression in a param is checked. */
export interface ExpressionOptions {
  /** Its variables. Default: `candidate`, `context`, `signals` and `now`; for a selector those of `pack.cost`. */
  readonly scope?: ExpressionScope;
  /** The type of its result. Default: any. */
  readonly want?: ResultType;
}

/** A param that is a CEL expression. Its value is an `Expression`, which a unit binds. */
export const expression = ({ scope, want = 'any' }: ExpressionOptions = {}) =>
  z
    .string()
    .meta({
      title: 'expression',
      description: `A CEL expression over ${Object.keys((scope ?? PARAM_SCOPE).variables).join(', ')}.`,
    })
    .transform(
      transformOrIssues((source): Expression => parseExpression(source, scope ?? currentParamScope.value, want)),
    );
