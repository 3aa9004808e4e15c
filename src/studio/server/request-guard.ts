import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** What every answer says to a browser. */
export const HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
};

/** Why a request is refused; undefined where it is not. */
export interface Refusal {
  readonly status: 401 | 403;
  readonly message: string;
}

/**
 * Refuses what does not come from the page itself: another host's name (a page elsewhere whose name points here), another
 * origin, and, for what is not public, a request without the token.
 */
export function guard(request: IncomingMessage, port: number, token: string, isPublic: boolean): Refusal | undefined {
  const { host = '', origin, authorization = '' } = request.headers;
  const hosts = [`127.0.0.1:${port}`, `localhost:${port}`];
  if (!hosts.includes(host)) return { status: 403, message: 'this is not the name that the studio has' };
  if (origin !== undefined && !hosts.includes(origin.replace(/^http:\/\//, ''))) {
    return { status: 403, message: 'another page may not ask the studio' };
  }
  if (isPublic || sameText(authorization, `Bearer ${token}`)) return undefined;
  return { status: 401, message: 'the address that the command line printed has the token that is needed' };
}

/** In a time that does not depend on where they differ. */
function sameText(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
