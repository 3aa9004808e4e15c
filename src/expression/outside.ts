import * as z from 'zod';
import { SyncVariable } from './sync-variable.js';

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
