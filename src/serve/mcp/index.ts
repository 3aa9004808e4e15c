/**
 * The Model Context Protocol: the profiles of a folder as tools of an agent.
 *
 * @module
 */

export { createMcpHandler, type McpHandler } from './server.js';
export { serveMcpHttp, type McpHttpOptions } from './http.js';
export { DEFAULT_LIMITS, type ToolLimits, type McpOptions } from './limits.js';
export { serveMcpStdio } from './stdio.js';
