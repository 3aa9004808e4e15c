import { once } from 'node:events';
import { integerOption, type Io, numberOption, readContext, usageError, type Verb, writeProblems } from 'assize/verbs';
import type { Offer } from '../mcp/server.js';
import type { ToolLimits } from '../mcp/limits.js';

interface McpVerbOptions {
  readonly profiles?: string;
  readonly gateway?: string;
  readonly profile?: string;
  readonly floor?: number;
  readonly top?: number;
  readonly context?: string;
  readonly port?: number;
  readonly host: string;
  readonly allowHost?: readonly string[];
  readonly tokenEnv?: string;
  readonly maxCandidates?: number;
}

const HELP = `
With --profiles, the tools are list, rank, explain, compare, check, schema. The
profiles are the files of the folder, by file name; a changed file takes effect on
the next call. With --gateway, the only tool is find_tools: it returns the tools of
a catalogue that fit a query. The catalogue is the answer of tools/list.

Without --port the server uses standard input and output. Configure a client with
  { "command": "npx", "args": ["assize", "mcp", "--profiles", "./profiles"] }
With --port it serves HTTP at /mcp on this machine. To listen on another address,
set a token with --token-env.

Examples:
  assize mcp --profiles ./profiles
  assize mcp --gateway tools.json --top 5
  assize mcp --profiles ./profiles --port 3333
  assize mcp --profiles ./profiles --port 3333 --host 0.0.0.0 --token-env TOKEN`;

/** `assize mcp`: serves profiles to agents, or finds tools for them. */
export const mcp: Verb = {
  name: 'mcp',
  summary: 'serve profiles to agents (MCP)',
  declare(command, io) {
    command
      .description(
        'Serves the profiles of a folder as tools for agents, over the Model Context Protocol, or finds the tools of a catalogue.',
      )
      .option('--profiles <folder>', 'the folder of the profiles')
      .option('--gateway <file>', 'the tools to find, in place of profiles: JSON as the answer of tools/list')
      .option('--profile <profile>', 'with --gateway: the profile that ranks the tools; tool-choice by default')
      .addOption(numberOption('--floor <number>', 'with --gateway: the least cosine of the best tool that fits'))
      .addOption(integerOption('--top <number>', 'with --gateway: the most tools to return; 10 by default', 1))
      .option('--context <file>', 'with --gateway: more of the context of the profile, such as the graph')
      .addOption(integerOption('--port <number>', 'serve over HTTP on this port; 0 picks a free one', 0))
      .option('--host <name>', 'the address to listen on', '127.0.0.1')
      .option('--allow-host <names...>', 'more host names to accept in requests')
      .option('--token-env <name>', 'the environment variable that holds the token clients must send')
      .addOption(integerOption('--max-candidates <number>', 'the most candidates per call; 1000 by default', 1))
      .addHelpText('after', HELP)
      .action((options: McpVerbOptions) => run(options, io));
  },
};

async function run(options: McpVerbOptions, io: Io): Promise<void> {
  checkSource(options);
  const token = tokenOf(options, io);
  const [{ packageVersion }, { DEFAULT_LIMITS }, { serveMcpHttp }, { serveMcpStdio }] = await Promise.all([
    import('assize/internal'),
    import('../mcp/limits.js'),
    import('../mcp/http.js'),
    import('../mcp/stdio.js'),
  ]);
  const { maxCandidates: candidates = DEFAULT_LIMITS.candidates, port, host, allowHost: allowedHosts = [] } = options;
  const limits = { ...DEFAULT_LIMITS, candidates };
  const stop = stopSignal();
  const opened = await openOffer(options, limits, io, stop);
  const report = ({ message }: Error) => io.err.write(`assize mcp: ${message}\n`);
  const served = { offer: opened.offer, limits, version: packageVersion(), report };
  try {
    if (port === undefined) return await serveMcpStdio(served, stop);
    const server = await serveMcpHttp(served, { host, port, token, allowedHosts });
    io.err.write(`${server.url}\n`);
    if (!stop.aborted) await once(stop, 'abort');
    await server.close();
  } finally {
    await opened.close();
  }
}

/** The options that only a gateway has. */
const OF_GATEWAY = ['profile', 'floor', 'top', 'context'] as const;

function checkSource({ profiles, gateway, ...options }: McpVerbOptions): void {
  const usage = 'assize mcp --profiles FOLDER, or assize mcp --gateway FILE';
  if (profiles === undefined && gateway === undefined) throw usageError('--profiles is missing', usage);
  if (profiles !== undefined && gateway !== undefined)
    throw usageError('--profiles and --gateway exclude each other', usage);
  const stray = gateway === undefined ? OF_GATEWAY.find((name) => options[name] !== undefined) : undefined;
  if (stray !== undefined) throw usageError(`--${stray} needs --gateway`, usage);
  if (gateway !== undefined && options.maxCandidates !== undefined)
    throw usageError('--max-candidates needs --profiles: the candidates of a gateway are the tools of its file', usage);
}

interface OpenOffer {
  readonly offer: Offer;
  close(): Promise<void>;
}

async function openOffer(options: McpVerbOptions, limits: ToolLimits, io: Io, stop: AbortSignal): Promise<OpenOffer> {
  const { profiles: folder, gateway } = options;
  if (gateway !== undefined) return openGateway(gateway, options, io, stop);
  const [{ ServedProfiles }, { profilesOffer }] = await Promise.all([
    import('../profiles/served-profiles.js'),
    import('../mcp/server.js'),
  ]);
  const profiles = await ServedProfiles.open(folder ?? '', {
    report: (event) => {
      if ('error' in event) writeProblems(event.error.problems, io);
      if (event.kind === 'restart_needed') io.err.write(`${event.profile}: a plugin has changed; restart to load it\n`);
    },
  });
  return { offer: profilesOffer({ profiles, limits }), close: () => profiles.close() };
}

async function openGateway(file: string, options: McpVerbOptions, io: Io, stop: AbortSignal): Promise<OpenOffer> {
  const [{ readCatalogue }, { DEFAULT_TOP, Gateway }] = await Promise.all([
    import('../mcp/catalogue.js'),
    import('../mcp/gateway.js'),
  ]);
  const { profile = 'tool-choice', floor, top = DEFAULT_TOP } = options;
  const { tools, warnings } = await readCatalogue(file);
  const context = { ...(await readContext(options)), ...(floor !== undefined && { floor }) };
  const gateway = await Gateway.open(tools, { profile, top, context });
  for (const warning of warnings) io.err.write(`${file}: ${warning}\n`);
  const ended = new AbortController();
  const report = (failures: readonly string[]): void => {
    for (const failure of failures) io.err.write(`assize mcp: ${failure}\n`);
  };
  // In the background: a client waits for the server to start.
  const warmed = gateway.warmUp(AbortSignal.any([stop, ended.signal])).then(report, (error: unknown) => {
    if (!stop.aborted && !ended.signal.aborted) report([error instanceof Error ? error.message : String(error)]);
  });
  const close = async (): Promise<void> => {
    ended.abort();
    await warmed;
  };
  return { offer: gateway.offer, close };
}

function tokenOf({ tokenEnv }: Pick<McpVerbOptions, 'tokenEnv'>, { env }: Io): string | undefined {
  if (tokenEnv === undefined) return undefined;
  const token = env[tokenEnv];
  if (token) return token;
  throw usageError(
    `the environment variable ${tokenEnv}, which holds the token, is ${token === '' ? 'empty' : 'not set'}`,
  );
}

/** Aborted by the first SIGINT or SIGTERM; a second signal ends the process at once. */
function stopSignal(): AbortSignal {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  return stop.signal;
}
