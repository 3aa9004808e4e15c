/**
 * Access control for all servers of the package (HTTP, MCP and the studio): tokens, host names and the origins of web
 * pages.
 *
 * @module
 */

import { createHash, timingSafeEqual } from 'node:crypto';
import { toAssizeError } from '../base/index.js';

/** The host names and page origins that a server accepts. */
export interface HostRules {
  /** The accepted host names, without ports; undefined accepts any. */
  readonly hosts: ReadonlySet<string> | undefined;
  /** The accepted origins of web pages, besides the server's own: `https://example.org`, or `*`. */
  readonly origins: ReadonlySet<string>;
}

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host);

/** An address as it is written in a URL: an IPv6 address has brackets. */
export const hostInUrl = (host: string): string => (host.includes(':') ? `[${host}]` : host);

/**
 * The host names that a server accepts. A server on localhost must check its name, because a web page can make another
 * name resolve to it (DNS rebinding). A server on another address may have any name, and has tokens.
 *
 * @param bound   the address that it listens on
 * @param allowed more accepted names; ports are ignored, also in requests
 * @throws AssizeError (ASZ597) if one is not a host name
 */
export function hostsOf(bound: string, allowed: readonly string[]): ReadonlySet<string> | undefined {
  if (!isLoopback(bound) && allowed.length === 0) return undefined;
  return new Set([...LOOPBACK, hostInUrl(bound), ...allowed.map(hostName)].map((name) => name.toLowerCase()));
}

/** `shop` of `shop:8443`; an IPv6 address gets its brackets. */
function hostName(given: string): string {
  const text = /^[\da-f]*:[\da-f:.]*:[\da-f.]*$/i.test(given) ? hostInUrl(given) : given;
  const name = text.replace(/:\d+$/, '');
  if (/^(?:\[[\da-f:.]+\]|[^\s/?#@\\:]+)$/i.test(name) && URL.canParse(`http://${name}/`)) return name;
  const message = `the allowed host is ${JSON.stringify(given)}; expected a host name`;
  throw toAssizeError([{ code: 'ASZ597', message, hint: 'write it without a path: --allow-host shop.example.org' }]);
}

/** Why a request is refused because of its host name or its page's origin; undefined if it is accepted. */
export function sourceRefusal(headers: Headers, { hosts, origins }: HostRules): Refusal | undefined {
  const host = (headers.get('host') ?? '').toLowerCase();
  const name = host.replace(/:\d+$/, '');
  if (hosts && !hosts.has(name)) {
    const hint = 'accept another host name with --allow-host NAME';
    return { status: 421, message: `the host name ${JSON.stringify(name)} is not accepted`, hint };
  }
  const origin = headers.get('origin');
  if (!origin || origins.has('*') || origins.has(origin) || isOwnOrigin(origin, host)) return undefined;
  return {
    status: 403,
    message: `requests from pages of ${origin} are not accepted`,
    hint: 'accept an origin with --cors ORIGIN',
  };
}

const isOwnOrigin = (origin: string, host: string): boolean =>
  origin === `http://${host}` || origin === `https://${host}`;

/** A token that requests bring: `authorization: Bearer …`. */
export interface AccessToken {
  readonly token: string;
  /** Gives access to the profiles in the folder of this name. Without a tenant, the token gives access to everything. */
  readonly tenant?: string | undefined;
}

/** The caller of a request. */
export interface Caller {
  /** If undefined, the caller may use every profile. */
  readonly tenant: string | undefined;
}

const digest = (token: string): Buffer => createHash('sha256').update(token).digest();

/** The minimum length of a token. A shorter one could be guessed. */
const MIN_TOKEN = 16;

/** The characters that can follow `Bearer ` in a header: visible ASCII. */
const SENDABLE = /^[!-~]+$/;

/** The tokens of a server. Without tokens, every client that can reach the server may use it. */
export class AccessTokens {
  readonly #tokens: readonly { readonly digest: Buffer; readonly tenant: string | undefined }[];

  /** @throws AssizeError (ASZ597) if one is too short, or cannot be sent in a header; problems do not contain tokens */
  constructor(tokens: readonly AccessToken[]) {
    for (const { token, tenant } of tokens) {
      const wrong = wrongWith(token);
      if (wrong === undefined) continue;
      const hint = `use at least ${MIN_TOKEN} letters, digits or signs, for example from openssl rand -hex 24`;
      const message = `the token of ${tenant ?? 'all tenants'} has ${wrong}`;
      throw toAssizeError([{ code: 'ASZ597', message, hint }]);
    }
    this.#tokens = tokens.map(({ token, tenant }) => ({ digest: digest(token), tenant }));
  }

  /**
   * The caller with a token; undefined if a token is required and the right one is missing. Compares every token in
   * constant time.
   */
  callerOf(authorization: string | null | undefined): Caller | undefined {
    if (this.#tokens.length === 0) return { tenant: undefined };
    const given = digest(/^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1] ?? '');
    const [found] = this.#tokens.filter((one) => timingSafeEqual(one.digest, given));
    return found && { tenant: found.tenant };
  }
}

function wrongWith(token: string): string | undefined {
  if (token.length < MIN_TOKEN) return `${token.length} characters`;
  return SENDABLE.test(token) ? undefined : 'a space, or a character that is not ASCII';
}

/** The refusal of a request without a valid token. */
export const tokenRefusal = (authorization: string | null | undefined): Refusal => ({
  status: 401,
  message: authorization ? 'the token is unknown' : 'the request has no token',
  hint: 'send the header authorization: Bearer TOKEN',
});

/** Why a request is refused before it is routed. */
export interface Refusal {
  /** 401: a missing or unknown token; 403: another page's origin; 421: another host name. */
  readonly status: 401 | 403 | 421;
  readonly message: string;
  readonly hint: string;
}
