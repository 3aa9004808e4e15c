/**
 * Who may ask a server: whoever has the token, by one of its own names, and from no page of another origin. Every server of the
 * package asks here: HTTP, MCP and the studio.
 *
 * @module
 */

import { createHash, timingSafeEqual } from 'node:crypto';
import { toAssizeError } from '../base/index.js';

/** Which pages and names a server answers to. */
export interface HostRules {
  /** The names that it is called by, without ports; undefined: any. */
  readonly hosts: ReadonlySet<string> | undefined;
  /** The origins of pages that may ask, besides its own: `https://example.org`, or `*`. */
  readonly origins: ReadonlySet<string>;
}

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host);

/** An address as it stands in a URL: an IPv6 address has brackets. */
export const hostInUrl = (host: string): string => (host.includes(':') ? `[${host}]` : host);

/**
 * The names that a server answers to. One that only this machine reaches is safe from pages of others that have a name lead here
 * (DNS rebinding) only if it knows its own; one that others reach is called as they like, and has tokens.
 *
 * @param bound   the address that it listens on
 * @param allowed other names that it is called by; a port is ignored, as it is in requests
 * @throws AssizeError (ASZ597) if one is not the name of a host
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
  const message = `the allowed host is ${JSON.stringify(given)}; expected the name of a host`;
  throw toAssizeError([{ code: 'ASZ597', message, hint: '--allow-host shop.example.org' }]);
}

/** What a request says of the name that it was sent to, and of the page that sent it. */
interface RequestSource {
  readonly host: string | null | undefined;
  readonly origin: string | null | undefined;
}

/** Why a request is refused that is sent to another name, or from the page of another origin; undefined where it is not. */
export function sourceRefusal(source: RequestSource, { hosts, origins }: HostRules): Refusal | undefined {
  const host = (source.host ?? '').toLowerCase();
  const name = host.replace(/:\d+$/, '');
  if (hosts && !hosts.has(name)) {
    const hint = 'a server is called by another name with --allow-host';
    return { status: 421, message: `the host ${JSON.stringify(name)} is not this one`, hint };
  }
  const { origin } = source;
  if (!origin || origins.has('*') || origins.has(origin) || isOwnOrigin(origin, host)) return undefined;
  return { status: 403, message: `pages of ${origin} may not ask`, hint: 'pages of an origin may ask with --cors' };
}

const isOwnOrigin = (origin: string, host: string): boolean =>
  origin === `http://${host}` || origin === `https://${host}`;

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

/** What a header can hold behind `Bearer `: visible characters of ASCII. */
const SENDABLE = /^[!-~]+$/;

/** The tokens of a server. Where there are none, everybody who can reach it may use it. */
export class AccessTokens {
  readonly #tokens: readonly { readonly digest: Buffer; readonly tenant: string | undefined }[];

  /** @throws AssizeError (ASZ597) where one is too short, or cannot be sent; no problem shows a token */
  constructor(tokens: readonly AccessToken[]) {
    for (const { token, tenant } of tokens) {
      const wrong = wrongWith(token);
      if (wrong === undefined) continue;
      const hint = `expected at least ${MIN_TOKEN} letters, digits or signs: openssl rand -hex 24`;
      const message = `the token of ${tenant ?? 'all tenants'} has ${wrong}`;
      throw toAssizeError([{ code: 'ASZ597', message, hint }]);
    }
    this.#tokens = tokens.map(({ token, tenant }) => ({ digest: digest(token), tenant }));
  }

  /**
   * Who brings a token; undefined where one is needed and the right one is not there. Every token is compared, in a time that does not
   * depend on what is equal.
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

/** What is said to who is no caller. */
export const tokenRefusal = (authorization: string | null | undefined): Refusal => ({
  status: 401,
  message: authorization ? 'the token is not known' : 'the request has no token',
  hint: 'send the header authorization: Bearer TOKEN',
});

/** Why a request is not answered, whatever it asks for. */
export interface Refusal {
  /** 401: no token, or another; 403: the page of another origin; 421: another host's name. */
  readonly status: 401 | 403 | 421;
  readonly message: string;
  readonly hint: string;
}
