/**
 * Who may ask a server: whoever has the token, by one of its own names, and from no page of another origin. Every server of the
 * package asks here: HTTP, MCP and the studio.
 *
 * @module
 */
export { hostInUrl, type HostRules, hostsOf, isLoopback, type RequestSource, sourceRefusal } from './hosts.js';
export type { Refusal } from './refusal.js';
export { type AccessToken, AccessTokens, type Caller, tokenRefusal } from './tokens.js';
