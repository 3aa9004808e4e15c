import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import type { PipelineOptions } from '../pipeline/node.js';
import {
  ANYTHING,
  BOOLEAN,
  checkOptions,
  FUNCTION,
  integerFrom,
  LIST,
  PORT,
  STRING,
  toAssizeError,
} from '../base/index.js';
import { checkExpectations, readExpectations } from '../evaluate/node.js';
import { type AccessToken, isLoopback } from './access.js';
import { completeLimits, LIMIT_OPTIONS, type ServeLimits } from './http/limits.js';
import type { ServeLog } from './http/server-parts.js';
import type { TryPipeline } from './profiles/served-profile.js';

/** The options of `startServer`. */
export interface ServeOptions {
  /** The folder of the profiles and of the tenants' folders; by default the working directory. */
  readonly profiles?: string;
  /** 8080 by default; 0 picks a free port. */
  readonly port?: number;
  /** The address to listen on; by default 127.0.0.1, which only this machine can reach. */
  readonly host?: string;
  /** The accepted tokens. Without tokens, every client that can reach the server may use it. */
  readonly tokens?: readonly AccessToken[];
  /** true: listen on another address without a token, for example behind a proxy that authenticates requests. */
  readonly allowAnonymous?: boolean;
  /** More accepted host names. */
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
  readonly log?: ServeLog;
}

/** Options with defaults. */
export interface CheckedOptions extends Required<Omit<ServeOptions, 'limits'>> {
  readonly limits: ServeLimits;
}

/** @throws AssizeError (ASZ533, ASZ597) with every problem of the options */
export function checkServeOptions(options: ServeOptions): CheckedOptions {
  checkOptions('startServer', options, {
    profiles: STRING,
    port: PORT,
    host: STRING,
    tokens: LIST,
    allowAnonymous: BOOLEAN,
    inline: BOOLEAN,
    allowHosts: LIST,
    cors: LIST,
    threads: integerFrom(0),
    limits: ANYTHING,
    pipeline: ANYTHING,
    tryOut: FUNCTION,
    log: FUNCTION,
  });
  const { profiles = '.', port = 8080, host = '127.0.0.1', tokens = [], inline = false } = options;
  const {
    allowAnonymous = false,
    allowHosts = [],
    cors = [],
    limits = {},
    pipeline = {},
    tryOut = tryGoldenCases,
    log = () => {},
  } = options;
  const { threads = Math.min(4, Math.max(1, availableParallelism() - 1)) } = options;
  checkOptions('limits', limits, LIMIT_OPTIONS);
  if (!isLoopback(host) && tokens.length === 0 && !allowAnonymous) {
    const message = `other machines can reach a server on ${host}, and it has no tokens`;
    const hint = 'set ASSIZE_TOKEN, or pass --allow-anonymous if a proxy authenticates requests';
    throw toAssizeError([{ code: 'ASZ597', message, hint }]);
  }
  const rest = { limits: completeLimits(limits), pipeline, tryOut, log };
  return { profiles, port, host, tokens, allowAnonymous, inline, allowHosts, cors, threads, ...rest };
}

/**
 * Tests a version of a profile with the expectations of `NAME.expect.yaml`, as `assize expect` does. Does not update
 * memory. A profile without that file passes.
 */
const tryGoldenCases: TryPipeline = async (pipeline, file) =>
  existsSync(file) ? (await checkExpectations(pipeline, await readExpectations(file))).failures : [];
