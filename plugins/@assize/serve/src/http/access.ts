/**
 * Access control for all servers (HTTP, MCP and the studio): tokens, host names and the origins of web pages.
 *
 * @module
 */

import { createHash, timingSafeEqual } from 'node:crypto';
import { toAssizeError } from 'assize';
import { parseDocument, readSourceFile } from 'assize/internal';
import { isMap } from 'assize/sdk';

/** A token that requests bring: `authorization: Bearer …`. */
export interface AccessToken {
  readonly token: string;
  /** Gives access to the profiles in the folder of this name. Without a tenant, the token gives access to everything. */
  readonly tenant?: string | undefined;
}

/** Who may use a server. */
export interface AccessRules {
  /** The address that the server listens on; undefined for an app inside another server, which checks host names itself. */
  readonly host?: string | undefined;
  /** More accepted host names. Ports are ignored, also in requests. */
  readonly allowHosts?: readonly string[] | undefined;
  /** The accepted origins of web pages, besides the server's own: `https://example.org`, or `*`. */
  readonly origins?: readonly string[] | undefined;
  /** Without tokens, every client that can reach the server may use it. */
  readonly tokens?: readonly AccessToken[] | undefined;
}

/** Why a request is refused before it is routed. */
export interface AccessRefusal {
  /** 401: a missing or unknown token; 403: another page's origin; 421: another host name. */
  readonly status: 401 | 403 | 421;
  readonly message: string;
  readonly hint: string;
}

/** The caller of a request. */
export interface Caller {
  /** If undefined, the caller may use every profile. */
  readonly tenant: string | undefined;
}

/** The minimum length of a token. A shorter one could be guessed. */
const MIN_TOKEN = 16;

/** The characters that can follow `Bearer ` in a header: visible ASCII. */
const SENDABLE = /^[!-~]+$/;

/** Decides which requests a server accepts. */
export class ServerAccess {
  /** The accepted host names, without ports; undefined accepts any. */
  readonly #hosts: ReadonlySet<string> | undefined;
  readonly #origins: ReadonlySet<string>;
  readonly #tokens: readonly { readonly digest: Buffer; readonly tenant: string | undefined }[];
  readonly #host: string;

  /**
   * @throws AssizeError (ASZ597) if a host name is invalid, or a token is too short or cannot be sent in a header; problems
   *   do not contain tokens
   */
  constructor({ host, allowHosts = [], origins = [], tokens = [] }: AccessRules) {
    for (const token of tokens) checkToken(token);
    this.#host = host ?? '127.0.0.1';
    this.#hosts = host === undefined && allowHosts.length === 0 ? undefined : hostsOf(this.#host, allowHosts);
    this.#origins = new Set(origins);
    this.#tokens = tokens.map(({ token, tenant }) => ({ digest: digest(token), tenant }));
  }

  /** Whether other machines can use the server without a token. */
  get isOpen(): boolean {
    return this.#tokens.length === 0 && !isLoopback(this.#host);
  }

  /** The address of the server as a URL: `http://127.0.0.1:8080`. */
  urlOf(port: number): string {
    return `http://${hostInUrl(this.#host)}:${port}`;
  }

  /** Why a request is refused because of its host name or its page's origin; undefined if it is accepted. */
  sourceRefusal(headers: Headers): AccessRefusal | undefined {
    const host = (headers.get('host') ?? '').toLowerCase();
    const name = host.replace(/:\d+$/, '');
    if (this.#hosts && !this.#hosts.has(name)) {
      const hint = 'accept another host name with --allow-host NAME';
      return { status: 421, message: `the host name ${JSON.stringify(name)} is not accepted`, hint };
    }
    const origin = headers.get('origin');
    if (!origin || this.acceptsOrigin(origin) || isOwnOrigin(origin, host)) return undefined;
    return {
      status: 403,
      message: `requests from pages of ${origin} are not accepted`,
      hint: 'accept an origin with --cors ORIGIN',
    };
  }

  /** Whether pages of another origin may use the server. */
  acceptsOrigin(origin: string): boolean {
    return this.#origins.has('*') || this.#origins.has(origin);
  }

  /**
   * The caller of a request; undefined if a token is required and the right one is missing. Compares every token in
   * constant time.
   */
  callerOf(headers: Headers): Caller | undefined {
    if (this.#tokens.length === 0) return { tenant: undefined };
    const given = digest(/^Bearer +(\S+)$/i.exec(headers.get('authorization') ?? '')?.[1] ?? '');
    const [found] = this.#tokens.filter((one) => timingSafeEqual(one.digest, given));
    return found && { tenant: found.tenant };
  }

  /** Why a request without a caller is refused. */
  tokenRefusal(headers: Headers): AccessRefusal {
    return {
      status: 401,
      message: headers.get('authorization') ? 'the token is unknown' : 'the request has no token',
      hint: 'send the header authorization: Bearer TOKEN',
    };
  }
}

const digest = (token: string): Buffer => createHash('sha256').update(token).digest();

function checkToken({ token, tenant }: AccessToken): void {
  const wrong =
    token.length < MIN_TOKEN
      ? `${token.length} characters`
      : SENDABLE.test(token)
        ? undefined
        : 'a space, or a character that is not ASCII';
  if (wrong === undefined) return;
  const hint = `use at least ${MIN_TOKEN} letters, digits or signs, for example from openssl rand -hex 24`;
  throw toAssizeError([{ code: 'ASZ597', message: `the token of ${tenant ?? 'all tenants'} has ${wrong}`, hint }]);
}

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host);

/** An address as it is written in a URL: an IPv6 address has brackets. */
const hostInUrl = (host: string): string => (host.includes(':') ? `[${host}]` : host);

/**
 * The host names that a server accepts. A server on localhost must check its name, because a web page can make another
 * name resolve to it (DNS rebinding). A server on another address may have any name, and has tokens.
 */
function hostsOf(bound: string, allowed: readonly string[]): ReadonlySet<string> | undefined {
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

const isOwnOrigin = (origin: string, host: string): boolean =>
  origin === `http://${host}` || origin === `https://${host}`;

/** The most tokens in a file. */
const MAX_TOKENS = 10_000;

/**
 * The tokens of a server: one for everything, and those of a file that maps each tenant to a token or a list of tokens.
 *
 * @throws AssizeError (ASZ597) if the file has another form; problems do not contain tokens
 */
export async function readTokens(file: string | undefined, ofAll: string | undefined): Promise<readonly AccessToken[]> {
  const all = ofAll ? [{ token: ofAll }] : [];
  if (file === undefined) return all;
  const { data, problems } = await parseDocument(await readSourceFile(file), { values: MAX_TOKENS });
  const [first] = problems;
  if (first)
    throw toAssizeError([
      { code: 'ASZ597', message: `${file} is not YAML or JSON`, ...(first.place && { path: file }) },
    ]);
  const found = isMap(data) ? Object.entries(data).flatMap(([tenant, value]) => tokensOf(tenant, value)) : [];
  if (found.length > 0 && !found.includes(undefined)) return [...all, ...found.filter((one) => one !== undefined)];
  const hint = 'write { acme: TOKEN, bolt: [TOKEN, TOKEN] }';
  throw toAssizeError([{ code: 'ASZ597', message: `${file} is not a map from tenants to tokens`, hint }]);
}

/** The tokens of a tenant; undefined in place of an invalid one. */
const tokensOf = (tenant: string, value: unknown): readonly (AccessToken | undefined)[] =>
  (Array.isArray(value) ? value : [value]).map((token: unknown) =>
    typeof token === 'string' ? { tenant, token } : undefined,
  );
