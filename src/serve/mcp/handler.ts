import { Calls } from './limits.js';
import { importMcp } from './mcp-library.js';
import type { McpOptions } from './options.js';
import { createServerFactory } from './server.js';

/** Answers requests over streamable HTTP. Who may ask is the business of whoever hands them in. */
export interface McpHandler {
  fetch(request: Request): Promise<Response>;
  /** Waits for the calls that are under way, and stops. */
  close(): Promise<void>;
}

/** @throws OptionalPackageError where the protocol's package is not installed */
export async function createMcpHandler({ profiles, limits, version, report }: McpOptions): Promise<McpHandler> {
  const library = await importMcp();
  const calls = new Calls(limits);
  const factory = createServerFactory(library, version, { profiles, limits }, calls);
  const handler = library.createMcpHandler(factory, { maxRequestBodySize: limits.bytes, onerror: report });
  return {
    fetch: (request) => handler.fetch(request),
    close: async () => {
      await calls.settle();
      await handler.close();
    },
  };
}
