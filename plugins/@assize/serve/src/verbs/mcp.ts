import { once } from 'node:events';
import { integerOption, type Io, usageError, type Verb, writeProblems } from 'assize/verbs';

interface McpVerbOptions {
  readonly profiles?: string;
  readonly port?: number;
  readonly host: string;
  readonly allowHost?: readonly string[];
  readonly tokenEnv?: string;
  readonly maxCandidates?: number;
}

const HELP = `
Tools: list, rank, explain, compare, check, schema. The profiles are the files of
the folder, by file name; a changed file takes effect on the next call.

Without --port the server uses standard input and output. Configure a client with
  { "command": "npx", "args": ["assize", "mcp", "--profiles", "./profiles"] }
With --port it serves HTTP at /mcp on this machine. To listen on another address,
set a token with --token-env.

Examples:
  assize mcp --profiles ./profiles
  assize mcp --profiles ./profiles --port 3333
  assize mcp --profiles ./profiles --port 3333 --host 0.0.0.0 --token-env TOKEN`;

/** `assize mcp`: serves profiles to agents. */
export const mcp: Verb = {
  name: 'mcp',
  summary: 'serve profiles to agents (MCP)',
  declare(command, io) {
    command
      .description('Serves the profiles of a folder as tools for agents, over the Model Context Protocol.')
      .option('--profiles <folder>', 'required: the folder of the profiles')
      .addOption(integerOption('--port <number>', 'serve over HTTP on this port; 0 picks a free one', 0))
      .option('--host <name>', 'the address to listen on', '127.0.0.1')
      .option('--allow-host <names...>', 'more host names to accept in requests')
      .option('--token-env <name>', 'the environment variable that holds the token clients must send')
      .addOption(integerOption('--max-candidates <number>', 'the most candidates per call; 1000 by default', 1))
      .addHelpText('after', HELP)
      .action((options: McpVerbOptions) => run(options, io));
  },
};

async function run({ profiles: folder, ...options }: McpVerbOptions, io: Io): Promise<void> {
  if (folder === undefined) throw usageError('--profiles is missing', 'assize mcp --profiles FOLDER');
  const token = tokenOf(options, io);
  const [{ packageVersion }, { ServedProfiles }, { DEFAULT_LIMITS }, { serveMcpHttp }, { serveMcpStdio }] =
    await Promise.all([
      import('assize/internal'),
      import('../profiles/served-profiles.js'),
      import('../mcp/limits.js'),
      import('../mcp/http.js'),
      import('../mcp/stdio.js'),
    ]);
  const profiles = await ServedProfiles.open(folder, {
    report: (event) => {
      if ('error' in event) writeProblems(event.error.problems, io);
      if (event.kind === 'restart_needed') io.err.write(`${event.profile}: a plugin has changed; restart to load it\n`);
    },
  });
  const { maxCandidates: candidates = DEFAULT_LIMITS.candidates, port, host, allowHost: allowedHosts = [] } = options;
  const served = {
    profiles,
    limits: { ...DEFAULT_LIMITS, candidates },
    version: packageVersion(),
    report: ({ message }: Error) => io.err.write(`assize mcp: ${message}\n`),
  };
  const stop = stopSignal();
  try {
    if (port === undefined) return await serveMcpStdio(served, stop);
    const server = await serveMcpHttp(served, { host, port, token, allowedHosts });
    io.err.write(`${server.url}\n`);
    if (!stop.aborted) await once(stop, 'abort');
    await server.close();
  } finally {
    await profiles.close();
  }
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
