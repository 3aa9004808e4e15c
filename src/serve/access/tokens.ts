import { createHash, timingSafeEqual } from 'node:crypto';
import { toAssizeError } from '../../diagnostics/index.js';
import type { Refusal } from './refusal.js';

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
