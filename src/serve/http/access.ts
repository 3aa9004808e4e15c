import {
  type AccessTokens,
  type Caller,
  type HostRules,
  sourceRefusal,
  tokenRefusal,
  type Refusal,
} from '../access/index.js';
import { RequestError } from './request-error.js';

const refused = ({ status, message, hint }: Refusal): RequestError =>
  new RequestError(status, { code: 'ASZ592', message, hint }, status === 401 ? { 'www-authenticate': 'Bearer' } : {});

/** @throws RequestError (ASZ592) where a request is sent to another name, or from the page of another origin */
export function checkOrigin({ headers }: Request, rules: HostRules): void {
  const refusal = sourceRefusal({ host: headers.get('host'), origin: headers.get('origin') }, rules);
  if (refusal) throw refused(refusal);
}

/** @throws RequestError (ASZ592) where a token is needed and the right one is not there */
export function callerOf({ headers }: Request, tokens: AccessTokens): Caller {
  const authorization = headers.get('authorization');
  const caller = tokens.callerOf(authorization);
  if (caller) return caller;
  throw refused(tokenRefusal(authorization));
}

/** The headers that let pages of other origins read an answer. */
export const corsHeaders = ({ headers }: Request, { origins }: HostRules): Readonly<Record<string, string>> => {
  const origin = headers.get('origin');
  if (origin === null || !(origins.has('*') || origins.has(origin))) return {};
  return {
    'access-control-allow-origin': origin,
    'access-control-allow-headers': 'authorization, content-type',
    'access-control-allow-methods': 'GET, POST',
    'access-control-max-age': '600',
    vary: 'origin',
  };
};
