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
  /** The folder of the profiles, and of the tenants' folders; the working directory when not given. */
  readonly profiles?: string;
  /** 8080 when not given; 0: any that is free. */
  readonly port?: number;
  /** What it listens on: 127.0.0.1 when not given, so that only this machine reaches it. */
  readonly host?: string;
  /** The accepted tokens. Without tokens, requests need none. */
  readonly tokens?: readonly AccessToken[];
  /** true: a server on another address than localhost needs no tokens, because a proxy authenticates requests. */
  readonly allowAnonymous?: boolean;
  /** Other names that it is called by. */
  readonly allowHosts?: readonly string[];
  /** The origins of pages that may ask: `https://example.org`; `*` for all. */
  readonly cors?: readonly string[];
  /** true: a request may bring a profile of its own, which is not trusted: it reaches nothing outside of itself. */
  readonly inline?: boolean;
  /**
   * How many threads answer large requests (`limits.large`), so that these keep no other from being answered; 0: none. One for each core but one
   * when not given, from 1 to 4. They start when they are needed.
   */
  readonly threads?: number;
  /** In place of the usual ones. */
  readonly limits?: Partial<ServeLimits>;
  /** For every pipeline: units and services given in code. */
  readonly pipeline?: PipelineOptions;
  /** Tries each version of a profile before it answers; what is expected in `NAME.expect.yaml` beside it when not given. */
  readonly tryOut?: TryPipeline;
  readonly log?: ServeLog;
}

/** Options with what holds where they say nothing. */
export interface CheckedOptions extends Required<Omit<ServeOptions, 'limits'>> {
  readonly limits: ServeLimits;
}

/** @throws AssizeError (ASZ533, ASZ597) with what is wrong with them */
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
    const message = `a server on ${host} is reached by others, and has no tokens`;
    const hint = 'set ASSIZE_TOKEN, or pass --allow-anonymous if a proxy authenticates requests';
    throw toAssizeError([{ code: 'ASZ597', message, hint }]);
  }
  const rest = { limits: completeLimits(limits), pipeline, tryOut, log };
  return { profiles, port, host, tokens, allowAnonymous, inline, allowHosts, cors, threads, ...rest };
}

/**
 * Tries a version of a profile on its golden cases: what `NAME.expect.yaml` beside it expects of its rankings, as `assize expect` checks it. Teaches no
 * memory. A profile without such a file has nothing to fail.
 */
const tryGoldenCases: TryPipeline = async (pipeline, file) =>
  existsSync(file) ? (await checkExpectations(pipeline, await readExpectations(file))).failures : [];
