import { toAssizeError } from '../../diagnostics/index.js';
import type { Refusal } from './refusal.js';

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
export interface RequestSource {
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
