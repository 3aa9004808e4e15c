import type { IncomingMessage } from 'node:http';
import { type AccessTokens, hostsOf, type Refusal, sourceRefusal } from '../../serve/access/index.js';

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

/** It is called by the names of this machine alone, and asked by no page but its own. */
const RULES = { hosts: hostsOf('127.0.0.1', []), origins: new Set<string>() };

/**
 * Refuses what does not come from the page itself: another host's name (a page elsewhere whose name points here), another
 * origin, and, for what is not public, a request without the token.
 */
export function guard({ headers }: IncomingMessage, tokens: AccessTokens, isPublic: boolean): Refusal | undefined {
  const refusal = sourceRefusal({ host: headers.host, origin: headers.origin }, RULES);
  if (refusal || isPublic || tokens.callerOf(headers.authorization)) return refusal;
  const message = 'the address that the command line printed has the token that is needed';
  return { status: 401, message, hint: 'open that address' };
}
