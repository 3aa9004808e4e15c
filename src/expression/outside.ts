import * as z from 'zod';

/** What a value of a profile may name that lies outside of the profile and its candidates. */
export type Reach = 'file' | 'url' | 'environment' | 'options' | 'model';

interface Refusal {
  readonly expected: string;
  readonly hint: string;
}

const REFUSALS: Readonly<Record<Reach, Refusal>> = {
  file: {
    expected: 'no file or folder',
    hint: 'leave it out: what it holds goes into the profile, the candidates or the context',
  },
  url: { expected: 'no address', hint: 'the host chooses the endpoint: it binds the service' },
  environment: { expected: 'no environment variable', hint: 'the host keeps its keys: it binds the service' },
  options: { expected: 'no options of a service', hint: 'they would reach it unchecked: the host sets them' },
  model: {
    expected: 'no model',
    hint: 'the embedder lexical needs none; the host may bind one: createPipeline(profile, { services })',
  },
};

const reaches = z.registry<{ readonly reach: Reach }>();

/** The services that a host gives to a profile which is not trusted, by their tokens. */
export type GivenServices = ReadonlySet<symbol>;

/** Set while a profile is checked that is not trusted: a schema does not know which profile it parses. */
let untrusted: GivenServices | undefined;

/**
 * Runs a synchronous check of a profile.
 *
 * @param given undefined if it is trusted; else no value may reach outside but what these services reach
 */
export function withTrust<R>(given: GivenServices | undefined, check: () => R): R {
  const outer = untrusted;
  untrusted = given;
  try {
    return check();
  } finally {
    untrusted = outer;
  }
}

/**
 * Marks a schema whose values reach outside: in a profile that is not trusted each of them is a problem (ASZ111), and
 * nothing after it in the schema, such as reading the file, is done.
 *
 * @param through the service that a value reaches, which a host may give; undefined for a value that stays inside
 */
export function outside<S extends z.ZodType>(
  reach: Reach,
  schema: S,
  through: (value: z.output<S>) => symbol | undefined = () => NO_SERVICE,
): S {
  const { expected, hint } = REFUSALS[reach];
  const checked = schema.superRefine((value, ctx) => {
    const service = untrusted && through(value);
    if (service === undefined || untrusted?.has(service)) return;
    const message = `expected ${expected} in a profile that is not trusted`;
    ctx.issues.push({ code: 'custom', input: value, message, params: { kind: 'outside', hint } });
  });
  reaches.add(checked, { reach });
  return checked;
}

/** Of what no service gives. */
const NO_SERVICE = Symbol('none');

/** What the values of a schema reach; undefined if they stay inside. */
export const reachOf = (schema: z.core.$ZodType): Reach | undefined => reaches.get(schema)?.reach;

/** A param that is the address of a server, by default of the web. */
export const url = (params: Parameters<typeof z.url>[0] = { protocol: /^https?$/ }) => outside('url', z.url(params));

/** A param that is the name of an environment variable, never what it holds. */
export const environmentName = () =>
  outside(
    'environment',
    z.string().regex(/^[A-Za-z_]\w*$/, 'expected the name of an environment variable, never the key itself'),
  );

/** A param that is a map which a service gets as it is. */
export const serviceOptions = () => outside('options', z.record(z.string(), z.unknown()));

/** Makes a path among params absolute. */
type FilePaths = (path: string) => string;

/** Set while the params of a profile are checked: a schema does not know which profile it parses. */
let absolutePath: FilePaths = (path) => path;

/** Runs a synchronous check of params in which `filePath` makes paths absolute by `paths`. */
export function withFilePaths<R>(paths: FilePaths, check: () => R): R {
  const outer = absolutePath;
  absolutePath = paths;
  try {
    return check();
  } finally {
    absolutePath = outer;
  }
}

/**
 * A param that names a file or folder, relative to the profile's file. In a profile its value is absolute; a schema that
 * is used outside of one leaves it as it is.
 */
export const filePath = () => outside('file', z.string().min(1)).transform((path) => absolutePath(path));
