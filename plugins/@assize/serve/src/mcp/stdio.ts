import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { Calls } from './limits.js';
import { createServerFactory, type McpOptions } from './server.js';

/**
 * Serves one client over standard input and output, until it closes the input. Nothing else may write to the output.
 *
 * @param stop stops the server when aborted
 */
export async function serveMcpStdio({ offer, limits, version, report }: McpOptions, stop: AbortSignal): Promise<void> {
  const factory = createServerFactory(version, offer, new Calls(limits));
  if (stop.aborted) return;
  await new Promise<void>((resolve) => {
    /** Reports when it is closed, by the client or because of a message that is too long. */
    class Transport extends StdioServerTransport {
      override async close(): Promise<void> {
        await super.close();
        resolve();
      }
    }
    const transport = new Transport(process.stdin, process.stdout, { maxBufferSize: limits.bytes });
    const handle = serveStdio(factory, { transport, onerror: report });
    stop.addEventListener('abort', () => void handle.close().finally(resolve), { once: true });
  });
}
