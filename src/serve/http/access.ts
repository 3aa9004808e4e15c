import { createHash, timingSafeEqual } from 'node:crypto';
import { toAssizeError } from '../../diagnostics/index.js';
import { RequestError } from './request-error.js';

/** A token that requests bring: `authorization: Bearer …`. */
export interface AccessToken {
  readonly token: string;
  /** Whose it is: it opens the profiles in the folder of this name. Without one, it opens everything. */
  readonly tenant?: string | undefined;
}

/** Who asks. */
export interface Caller {
  /** Undefined: may use every profile. */
  readonly tenant: string | undefined;
}

const digest = (token: string): Buffer => createHash('sha256').update(token).digest();

/** The least that a token may have: a shorter one can be guessed. */
const MIN_TOKEN = 16;

/** The tokens of a server. Where there are none, everybody who can reach it may use it. */
export class AccessTokens {
  readonly #tokens: readonly { readonly digest: Buffer; readonly tenant: string | undefined }[];

  /** @throws AssizeError (ASZ597) where one is too short */
  constructor(tokens: readonly AccessToken[]) {
    const short = tokens.find(({ token }) => token.length < MIN_TOKEN);
    if (short) {
      const message = `the token of ${short.tenant ?? 'all tenants'} has ${short.token.length} characters`;
      throw toAssizeError([{ code: 'ASZ597', message, hint: `expected at least ${MIN_TOKEN}: openssl rand -hex 24` }]);
    }
    this.#tokens = tokens.map(({ token, tenant }) => ({ digest: digest(token), tenant }));
  }

  get areNeeded(): boolean {
    return this.#tokens.length > 0;
  }

  /**
   * Who brings a token. Every token is compared, in a time that does not depend on what is equal.
   *
   * @throws RequestError (ASZ592) where a token is needed and the right one is not there
   */
  callerOf(authorization: string | null): Caller {
    if (!this.areNeeded) return { tenant: undefined };
    const given = digest(/^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1] ?? '');
    const [found] = this.#tokens.filter((one) => timingSafeEqual(one.digest, given));
    if (found) return found;
    const message = authorization === null ? 'the request has no token' : 'the token is not known';
    throw new RequestError(
      401,
      { code: 'ASZ592', message, hint: 'send the header authorization: Bearer TOKEN' },
      { 'www-authenticate': 'Bearer' },
    );
  }
}

/** Which pages and names a server answers to. */
export interface HostRules {
  /** The names that it is called by, without ports; undefined: any. */
  readonly hosts: ReadonlySet<string> | undefined;
  /** The origins of pages that may ask: `https://example.org`, or `*`. */
  readonly origins: ReadonlySet<string>;
}

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/**
 * The names that a server answers to. One that only this machine reaches is safe from pages of others that have a name lead here
 * (DNS rebinding) only if it knows its own; one that others reach is called as they like, and has tokens.
 */
export function hostsOf(bound: string, allowed: readonly string[]): ReadonlySet<string> | undefined {
  if (!isLoopback(bound) && allowed.length === 0) return undefined;
  return new Set([...LOOPBACK, bound.toLowerCase(), ...allowed.map((name) => name.toLowerCase())]);
}

export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host);

/** @throws RequestError (ASZ592) where a request is sent to another name, or from the page of another origin */
export function checkOrigin(request: Request, { hosts, origins }: HostRules): void {
  const host = (request.headers.get('host') ?? '').toLowerCase();
  const name = host.replace(/:\d+$/, '');
  if (hosts && !hosts.has(name)) {
    const hint = 'a server is called by another name with --allow-host';
    throw new RequestError(421, { code: 'ASZ592', message: `the host ${JSON.stringify(name)} is not this one`, hint });
  }
  const origin = request.headers.get('origin');
  if (origin === null || origins.has('*') || origins.has(origin) || isOwnOrigin(origin, host)) return;
  const hint = 'pages of an origin may ask with --cors';
  throw new RequestError(403, { code: 'ASZ592', message: `pages of ${origin} may not ask`, hint });
}

const isOwnOrigin = (origin: string, host: string): boolean =>
  origin === `http://${host}` || origin === `https://${host}`;

/** The headers that let pages of other origins read an answer. */
export const corsHeaders = (request: Request, { origins }: HostRules): Readonly<Record<string, string>> => {
  const origin = request.headers.get('origin');
  if (origin === null || !(origins.has('*') || origins.has(origin))) return {};
  return {
    'access-control-allow-origin': origin,
    'access-control-allow-headers': 'authorization, content-type',
    'access-control-allow-methods': 'GET, POST',
    'access-control-max-age': '600',
    vary: 'origin',
  };
};
