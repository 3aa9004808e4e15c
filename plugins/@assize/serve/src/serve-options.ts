import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { type PipelineOptions, toAssizeError } from 'assize';
import { checkOptions } from 'assize/internal';
import { isMap } from 'assize/sdk';
import { checkExpectations, readExpectations } from 'assize/testing';
import { completeLimits, LIMIT_OPTIONS, type ServeLimits } from './http/limits.js';
import type { ServeLog } from './http/server-parts.js';
import type { TryPipeline } from './profiles/served-profile.js';
import { type AccessToken, ServerAccess } from './http/access.js';

/** The options of `createApp`. */
export interface AppOptions {
  /** The folder of the profiles and of the tenants' folders; by default the working directory. */
  readonly profiles?: string;
  /** The accepted tokens. Without tokens, every client that can reach the server may use it. */
  readonly tokens?: readonly AccessToken[];
  /** More accepted host names. `createApp` accepts any name if there are none. */
  readonly allowHosts?: readonly string[];
  /** The accepted origins of web pages: `https://example.org`; `*` for all. */
  readonly cors?: readonly string[];
  /** true: a request may contain a profile, which is not trusted: it has no access to files, plugins or the network. */
  readonly inline?: boolean;
  /**
   * How many threads answer large requests (`limits.large`), so that they do not block small ones; 0 disables them. By
   * default one fewer than the number of cores, from 1 to 4. Threads start on demand.
   */
  readonly threads?: number;
  /** Limits that replace the defaults. */
  readonly limits?: Partial<ServeLimits>;
  /** The options of every pipeline: units and services given in code. */
  readonly pipeline?: PipelineOptions;
  /** Tests each version of a profile before it becomes active; by default with the expectations in `NAME.expect.yaml`. */
  readonly tryOut?: TryPipeline;
  /** For example a pino logger. */
  readonly log?: ServeLog;
}

/** The options of `startServer`. */
export interface ServeOptions extends AppOptions {
  /** 8080 by default; 0 picks a free port. */
  readonly port?: number;
  /** The address to listen on; by default 127.0.0.1, which only this machine can reach. */
  readonly host?: string;
  /** true: listen on another address without a token, for example behind a proxy that authenticates requests. */
  readonly allowAnonymous?: boolean;
}

/** The options of an app with defaults. */
export interface CheckedAppOptions extends Required<Omit<AppOptions, 'limits' | 'tokens' | 'allowHosts' | 'cors'>> {
  readonly access: ServerAccess;
  readonly limits: ServeLimits;
}

/** The types of the options of `createApp`. */
const APP_OPTIONS = {
  profiles: 'string',
  tokens: 'list',
  inline: 'boolean',
  allowHosts: 'list',
  cors: 'list',
  threads: { integerFrom: 0 },
  limits: 'anything',
  pipeline: 'anything',
  tryOut: 'function',
  log: {
    expected: 'an object with the methods info, warn and error',
    accepts: (log: unknown) =>
      isMap(log) && [log['info'], log['warn'], log['error']].every((one) => typeof one === 'function'),
  },
} as const;

const SILENT: ServeLog = { info: () => {}, warn: () => {}, error: () => {} };

/** @throws AssizeError (ASZ533) with every problem of the options */
export function checkAppOptions(options: AppOptions & { readonly basePath?: string }): CheckedAppOptions {
  checkOptions('createApp', options, { ...APP_OPTIONS, basePath: 'string' });
  return completeOptions(options, undefined);
}

/** The options of a server with defaults, and its address. */
export interface CheckedServeOptions {
  readonly app: CheckedAppOptions;
  readonly host: string;
  readonly port: number;
}

/** @throws AssizeError (ASZ533, ASZ597) with every problem of the options */
export function checkServeOptions(options: ServeOptions): CheckedServeOptions {
  checkOptions('startServer', options, { ...APP_OPTIONS, port: 'port', host: 'string', allowAnonymous: 'boolean' });
  const { port = 8080, host = '127.0.0.1', allowAnonymous = false, ...rest } = options;
  const app = completeOptions(rest, host);
  if (app.access.isOpen && !allowAnonymous) {
    const message = `other machines can reach a server on ${host}, and it has no tokens`;
    const hint = 'set ASSIZE_TOKEN, or pass --allow-anonymous if a proxy authenticates requests';
    throw toAssizeError([{ code: 'ASZ597', message, hint }]);
  }
  return { app, host, port };
}

/** @param host the address to listen on; undefined for an app inside another server */
function completeOptions(options: AppOptions, host: string | undefined): CheckedAppOptions {
  const { profiles = '.', inline = false, limits = {}, pipeline = {} } = options;
  const { tryOut = tryGoldenCases, log = SILENT } = options;
  const { threads = Math.min(4, Math.max(1, availableParallelism() - 1)) } = options;
  checkOptions('limits', limits, LIMIT_OPTIONS);
  const { tokens, allowHosts, cors: origins } = options;
  const access = new ServerAccess({ host, tokens, allowHosts, origins });
  return { profiles, inline, threads, limits: completeLimits(limits), pipeline, tryOut, log, access };
}

/**
 * Tests a version of a profile with the expectations of `NAME.expect.yaml`, as `assize expect` does. Does not update
 * memory. A profile without that file passes.
 */
const tryGoldenCases: TryPipeline = async (pipeline, file) =>
  existsSync(file) ? (await checkExpectations(pipeline, await readExpectations(file))).failures : [];
