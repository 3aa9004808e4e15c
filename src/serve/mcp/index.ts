/**
 * The Model Context Protocol: the profiles of a folder as tools of an agent.
 *
 * @module
 */

export { createMcpHandler, type McpHandler } from './handler.js';
export { serveMcpHttp, type McpHttpOptions } from './http.js';
export { DEFAULT_LIMITS, type ToolLimits } from './limits.js';
export type { McpOptions } from './options.js';
export { serveMcpStdio } from './stdio.js';
