import { type AccessTokens, type HostRules, type Refusal, sourceRefusal, tokenRefusal } from '../access/index.js';

/** Who may ask. */
export interface Guard {
  readonly rules: HostRules;
  readonly tokens: AccessTokens;
}

/** Why a request is not answered, as a response; undefined where it is. */
export function refusalOf({ headers }: Request, { rules, tokens }: Guard): Response | undefined {
  const refusal = sourceRefusal({ host: headers.get('host'), origin: headers.get('origin') }, rules);
  if (refusal) return refused(refusal);
  const authorization = headers.get('authorization');
  return tokens.callerOf(authorization) ? undefined : refused(tokenRefusal(authorization));
}

const refused = ({ status, message, hint }: Refusal): Response =>
  new Response(`${message}; ${hint}\n`, { status, headers: status === 401 ? { 'www-authenticate': 'Bearer' } : {} });
