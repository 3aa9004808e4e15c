import {
  type CallToolResult,
  createMcpHandler as createHandler,
  McpServer,
  type McpServerFactory,
  ResourceTemplate,
  type StandardSchemaWithJSON,
} from '@modelcontextprotocol/server';
import type * as z from 'zod';
import { toAssizeError } from 'assize';
import { checkDepth, problemJson, profileFormat } from 'assize/internal';
import { jsonSchema } from '../operations.js';
import { relativeProblem } from '../profiles/profile-json.js';
import { Calls, type ToolLimits } from './limits.js';
import {
  findPart,
  partsText,
  problemsOf,
  type Tool,
  type ToolAnswer,
  type ToolContext,
  type ToolFacts,
  TOOLS,
} from './tools.js';

/** The instructions of a server of profiles. */
const INSTRUCTIONS =
  'Assize ranks lists of anything by profiles of vetoes, weighted scorers and rules. Call list to see the profiles, rank to ' +
  'rank candidates, explain and compare for the reasons, and schema to learn how to write a profile.';

/** The most elements in the input of a call, which limits the work that a hostile input causes in validation. */
const MAX_ELEMENTS = 1_000_000;

/** A tool as a server offers it, with its state. */
interface OfferedTool extends ToolFacts {
  readonly input: z.ZodType;
  readonly call: (input: unknown, signal: AbortSignal) => Promise<ToolAnswer>;
}

/** What a server offers. */
export interface Offer {
  /** The description of the server that a client gives its model. */
  readonly instructions: string;
  readonly tools: readonly OfferedTool[];
  /** The folder that files in problems are relative to. */
  readonly folder?: string;
  /** Adds what is not a tool. */
  readonly register?: (server: McpServer) => void;
}

/** The offer of a server of profiles. */
export const profilesOffer = (context: ToolContext): Offer => ({
  instructions: INSTRUCTIONS,
  tools: TOOLS.map((tool: Tool) => ({ ...tool, call: (input, signal) => tool.call(input, context, signal) })),
  folder: context.profiles.folder,
  register: registerSchema,
});

/** Creates a factory of servers: one server per connection, or per request over HTTP. */
export const createServerFactory = (version: string, offer: Offer, calls: Calls): McpServerFactory => {
  const tools = offer.tools.map((tool) => ({ tool, facts: factsOf(tool) })); // once: HTTP has a server for each request
  return () => {
    const server = new McpServer(
      { name: 'assize', title: 'Assize', version },
      { instructions: offer.instructions, maxToolInputElements: MAX_ELEMENTS },
    );
    for (const { tool, facts } of tools) {
      server.registerTool(tool.name, facts, async (args, { mcpReq }) => {
        try {
          checkDepth(args, 'arguments', 'ASZ593');
          const { text, data } = await calls.run(mcpReq.signal, (signal) => tool.call(args, signal));
          return { content: [{ type: 'text', text }], structuredContent: { ...data } };
        } catch (error) {
          return errorResult(error, offer.folder);
        }
      });
    }
    offer.register?.(server);
    return server;
  };
};

const factsOf = ({ title, description, input, output, updatesMemory = false }: OfferedTool) => ({
  title,
  description,
  inputSchema: standardSchema(input),
  outputSchema: standardSchema(output),
  annotations: { readOnlyHint: !updatesMemory, destructiveHint: false, openWorldHint: false },
});

/**
 * A schema in the form that the protocol's package accepts. It describes values and does not check them: tools check their
 * input themselves, with the codes and hints of HTTP.
 */
function standardSchema(schema: z.ZodType): StandardSchemaWithJSON {
  const json = { ...jsonSchema(schema) };
  const validate = (value: unknown) => ({ value });
  const read = () => json;
  return { '~standard': { version: 1, vendor: 'assize', validate, jsonSchema: { input: read, output: read } } };
}

/** A problem is returned as a tool result, so that a model can fix it. Other errors are errors of the server. */
function errorResult(error: unknown, folder: string | undefined): CallToolResult {
  const problems = problemsOf(error).map((problem) =>
    folder === undefined ? problem : relativeProblem(problem, folder),
  );
  return {
    isError: true,
    content: [{ type: 'text', text: toAssizeError(problems).message }],
    // Clients validate structured content against the output schema, also that of an error.
    _meta: { 'assize/problems': problems.map(problemJson) },
  };
}

/** Provides the tool `schema` also as resources, for clients that support them. */
function registerSchema(server: McpServer): void {
  server.registerResource(
    'schema',
    'assize://schema',
    { title: 'The profile format', mimeType: 'text/plain' },
    async (uri) => ({ contents: [{ uri: uri.href, mimeType: 'text/plain', text: partsText(await profileFormat()) }] }),
  );
  const template = new ResourceTemplate('assize://schema/{part}', {
    list: undefined,
    complete: {
      part: async (start) =>
        (await profileFormat())
          .map(({ name }) => name)
          .filter((name) => name.toLowerCase().startsWith(start.toLowerCase())),
    },
  });
  server.registerResource('schema-part', template, { title: 'A key, a class or a preset' }, async (uri, { part }) => {
    const found = findPart(await profileFormat(), String(part));
    const mimeType = found.kind === 'preset' ? 'application/yaml' : 'application/json';
    return { contents: [{ uri: uri.href, mimeType, text: await found.read() }] };
  });
}

/** The options of an MCP server, for any transport. */
export interface McpOptions {
  readonly offer: Offer;
  readonly limits: ToolLimits;
  /** The version of the package, which clients show. */
  readonly version: string;
  /** Called with errors of invalid messages and broken connections. */
  readonly report: (error: Error) => void;
}

/** Answers requests over streamable HTTP. The caller checks access. */
export interface McpHandler {
  fetch(request: Request): Promise<Response>;
  /** Waits for the calls in progress, and stops. */
  close(): Promise<void>;
}

export function createMcpHandler({ offer, limits, version, report }: McpOptions): McpHandler {
  const calls = new Calls(limits);
  const factory = createServerFactory(version, offer, calls);
  const handler = createHandler(factory, { maxRequestBodySize: limits.bytes, onerror: report });
  return {
    fetch: (request) => handler.fetch(request),
    close: async () => {
      await calls.settle();
      await handler.close();
    },
  };
}
