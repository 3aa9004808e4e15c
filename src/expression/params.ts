import * as z from 'zod';
import { SyncVariable, compileCandidatePath, compilePath, type PathReader } from './compile-path.js';
import { ExpressionError, type ExpressionScope } from './scope.js';
import { type Expression, parseExpression, type ResultType } from './parse-expression.js';
import { PathError } from './path.js';
import { parseDuration, compileTimeFormat } from './time.js';

/** The kinds of external resources that a value of a profile may name. */
export type Reach = 'file' | 'url' | 'environment' | 'options' | 'model';

interface Refusal {
  readonly expected: string;
  readonly hint: string;
}

const REFUSALS: Readonly<Record<Reach, Refusal>> = {
  file: {
    expected: 'no file or folder',
    hint: 'remove it, and put its content into the profile, the candidates or the context',
  },
  url: { expected: 'no address', hint: 'the host chooses the endpoint when it binds the service' },
  environment: { expected: 'no environment variable', hint: 'the host supplies its keys when it binds the service' },
  options: { expected: 'no options of a service', hint: 'only the host may set them, because they are not checked' },
  model: {
    expected: 'no model',
    hint: 'use the embedder lexical, which needs no model, or let the host bind one: createPipeline(profile, { services })',
  },
};

const reaches = z.registry<{ readonly reach: Reach }>();

/** The services that a host provides to an untrusted profile, by their tokens. */
export type GivenServices = Pick<ReadonlySet<symbol>, 'has'>;

/** Set while an untrusted profile is checked. */
const untrusted = new SyncVariable<GivenServices | undefined>(undefined);

/**
 * Runs a synchronous check of a profile.
 *
 * @param given undefined for a trusted profile. In an untrusted one, values may reach external resources only through
 *   these services
 */
export const withTrust = <R>(given: GivenServices | undefined, check: () => R): R => untrusted.run(given, check);

/**
 * Marks a schema whose values reach external resources. In an untrusted profile each value is a problem (ASZ111), and
 * the rest of the schema does not run, so that for example no file is read.
 *
 * @param through the service that a value uses, which a host may provide; undefined if a value reaches nothing external
 */
export function outside<S extends z.ZodType>(
  reach: Reach,
  schema: S,
  through: (value: z.output<S>) => symbol | undefined = () => NO_SERVICE,
): S {
  const { expected, hint } = REFUSALS[reach];
  const checked = schema.superRefine((value, ctx) => {
    const service = untrusted.value && through(value);
    if (service === undefined || untrusted.value?.has(service)) return;
    const message = `expected ${expected} in an untrusted profile`;
    ctx.issues.push({ code: 'custom', input: value, message, params: { kind: 'outside', hint } });
  });
  reaches.add(checked, { reach });
  return checked;
}

/** For resources that no service provides. */
const NO_SERVICE = Symbol('none');

/** The kind of external resource that the values of a schema reach; undefined if they reach none. */
export const reachOf = (schema: z.core.$ZodType): Reach | undefined => reaches.get(schema)?.reach;

/** A param that is the address of a server, by default an http or https URL. */
export const url = (params: Parameters<typeof z.url>[0] = { protocol: /^https?$/ }) => outside('url', z.url(params));

/** A param that is the name of an environment variable, never its value. */
export const environmentName = () =>
  outside(
    'environment',
    z.string().regex(/^[A-Za-z_]\w*$/, 'expected the name of an environment variable, never the key itself'),
  );

/** A param that is a map which a service receives unchanged. */
export const serviceOptions = () => outside('options', z.record(z.string(), z.unknown()));

/** Makes a path among params absolute. */
type FilePaths = (path: string) => string;

/** Set while the params of a profile are checked. */
const absolutePath = new SyncVariable<FilePaths>((path) => path);

/** Runs a synchronous check of params. `filePath` makes paths absolute with `paths`. */
export const withFilePaths = <R>(paths: FilePaths, check: () => R): R => absolutePath.run(paths, check);

/**
 * A param that names a file or folder, relative to the profile's file. In a profile its value is absolute. Outside of a
 * profile, the schema does not change it.
 */
export const filePath = () => outside('file', z.string().min(1)).transform((path) => absolutePath.value(path));

/** The scope of an expression in a param, unless its unit specifies another. */
export const PARAM_SCOPE: ExpressionScope = {
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
  /**
   * Its variables. Default: `candidate`, `context`, `signals`, `now`, and in Tier 2 `stats`; for a selector those of
   * `pack.cost`. It can always read the names of `let`.
   */
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
      transformOrIssues((source): Expression => {
        const current = currentParamScope.value;
        return parseExpression(source, scope ? { ...scope, lets: current.lets } : current, want);
      }),
    );
