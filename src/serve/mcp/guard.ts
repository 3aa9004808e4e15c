import { createHash, timingSafeEqual } from 'node:crypto';
import type { McpLibrary } from './mcp-library.js';

/** Who may ask. */
export interface Guard {
  /** The names that the server may be called by, without a port: a page of another name cannot reach it by rebinding. */
  readonly hosts: readonly string[];
  /** What a client says in `Authorization: Bearer …`; undefined where anybody may ask who can reach the server. */
  readonly token: string | undefined;
}

const sha = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Why a request is not answered: a response with 401 or 403; undefined where it is. */
export function refusalOf(
  { hostHeaderValidationResponse, originValidationResponse }: McpLibrary,
  request: Request,
  { hosts, token }: Guard,
): Response | undefined {
  const refused = hostHeaderValidationResponse(request, [...hosts]) ?? originValidationResponse(request, [...hosts]);
  if (refused || token === undefined) return refused;
  const [, given = ''] = /^Bearer (.+)$/i.exec(request.headers.get('authorization') ?? '') ?? [];
  if (timingSafeEqual(sha(given), sha(token))) return undefined;
  return new Response('a token is missing or wrong', { status: 401, headers: { 'WWW-Authenticate': 'Bearer' } });
}
