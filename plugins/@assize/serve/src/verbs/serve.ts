import { Option } from 'commander';
import { choiceOption, createStyler, integerOption, type Io, usageError, type Verb } from 'assize/verbs';
import type { ServeLog } from '../http/server-parts.js';
import type { ServeOptions } from '../serve-options.js';

interface ServeVerbOptions {
  readonly profiles: string;
  readonly port: number;
  readonly host: string;
  readonly tokens?: string;
  readonly allowAnonymous?: true;
  readonly open?: true;
  readonly inline?: true;
  readonly allowHost?: readonly string[];
  readonly cors?: readonly string[];
  readonly timeout?: number;
  readonly concurrency?: number;
  readonly threads?: number;
  readonly drain: number;
  readonly log: 'text' | 'json';
}

const HELP = `
Each NAME.yaml of the folder is a profile, and each subfolder is a tenant. A
changed file takes effect at once if it is valid.

  POST /v1/rerank    compatible with Cohere, Jina and Voyage: model is a profile
  POST /v1/rank      /v1/score, /v1/pack, /v1/explain, /v1/compare: all features
  GET  /v1/profiles  /openapi.json, /healthz, /readyz, /metrics

If tokens are set, every request needs one: ASSIZE_TOKEN gives access to every
profile, and --tokens names a file with a token for each tenant:
{ acme: …, bolt: … }.
After SIGTERM, /readyz returns 503 for the time of --drain while requests are
still answered, so that a proxy sends new ones elsewhere. Then the server
finishes the running requests and stops. SIGINT skips the wait. SIGHUP reloads
the profiles.

Each tenant has limits on its pending requests, running requests, uploads and
their bytes, so that it cannot starve others. The README of @assize/serve lists
them, and the settings of a proxy. /metrics needs npm install prom-client.

Examples:
  assize serve --profiles ./profiles
  assize serve --profiles ./profiles --tokens ./tokens.yaml --log json
  ASSIZE_TOKEN=$(openssl rand -hex 24) assize serve --host 0.0.0.0`;

/** `assize serve`: serves the profiles of a folder over HTTP. */
export const serve: Verb = {
  name: 'serve',
  summary: 'serve the profiles of a folder over HTTP',
  declare(command, io) {
    command
      .description('Serves the profiles of a folder over HTTP, and reloads them when they change.')
      .option('--profiles <folder>', 'the folder of the profiles', '.')
      .addOption(integerOption('--port <number>', 'the port; 0 picks a free one', 0).default(8080))
      .option('--host <address>', 'the address to listen on', '127.0.0.1')
      .option('--tokens <file>', 'a token for each tenant, as YAML or JSON')
      .option('--allow-anonymous', 'listen on another address without a token, if a proxy authenticates requests')
      .addOption(new Option('--open').hideHelp())
      .option('--inline', 'allow requests to contain a profile, which runs as untrusted')
      .option('--allow-host <names...>', 'more host names to accept in requests')
      .option('--cors <origins...>', 'origins of web pages that may send requests')
      .addOption(integerOption('--timeout <ms>', 'the most time that a request may take', 1))
      .addOption(integerOption('--concurrency <number>', 'the number of requests that run at the same time', 1))
      .addOption(integerOption('--threads <number>', 'threads for large requests; 0 disables them', 0))
      .addOption(
        integerOption('--drain <ms>', 'how long to keep answering after SIGTERM, in milliseconds', 0).default(5000),
      )
      .addOption(
        choiceOption('--log <format>', 'the format of the log on standard error', ['text', 'json']).default('text'),
      )
      .addHelpText('after', HELP)
      .action((options: ServeVerbOptions) => run(options, io));
  },
};

async function run(
  { tokens, allowHost, timeout, concurrency, drain, log, open, ...options }: ServeVerbOptions,
  io: Io,
): Promise<void> {
  if (open) throw usageError('assize serve has no option --open', 'it is called --allow-anonymous now');
  const [{ startServer }, { readTokens }] = await Promise.all([
    import('../start-server.js'),
    import('../http/access.js'),
  ]);
  const given: ServeOptions = {
    ...options,
    tokens: await readTokens(tokens, io.env['ASSIZE_TOKEN']),
    allowHosts: allowHost ?? [],
    limits: { ...(timeout && { time: timeout }), ...(concurrency && { concurrent: concurrency }) },
    log: log === 'json' ? jsonLog(io.err) : textLog(io.err),
  };
  const server = await startServer(given);
  io.err.write(`listening at ${server.url}\n`);
  const signal = await untilStopped(() => void server.profiles.refresh());
  io.err.write('stopping: finishing the running requests\n');
  // Ctrl-C is typed by a person, without a proxy that must notice.
  await server.close({ drain: signal === 'SIGTERM' ? drain : 0 });
}

/** Waits for SIGINT or SIGTERM; a second signal of the same kind ends the process at once. */
async function untilStopped(reload: () => void): Promise<NodeJS.Signals> {
  process.on('SIGHUP', reload);
  const signal = await new Promise<NodeJS.Signals>((resolve) => {
    process.once('SIGTERM', resolve);
    process.once('SIGINT', resolve);
  });
  process.off('SIGHUP', reload);
  return signal;
}

type Write = (level: 'info' | 'warning' | 'error', message: string, fields: Readonly<Record<string, unknown>>) => void;

const logOf = (write: Write): ServeLog => ({
  info: (fields, message) => write('info', message, fields),
  warn: (fields, message) => write('warning', message, fields),
  error: (fields, message) => write('error', message, fields),
});

/** A line of JSON for each event, with its time, for log collectors. */
const jsonLog = (err: Io['err']): ServeLog =>
  logOf((level, message, fields) =>
    err.write(`${JSON.stringify({ time: new Date().toISOString(), level, message, ...fields })}\n`),
  );

/** A readable line for each event. */
function textLog(err: Io['err']): ServeLog {
  const paint = createStyler(err.colour);
  const styles = { info: 'faint', warning: 'yellow', error: 'red' } as const;
  return logOf((level, message, fields) => {
    const rest = Object.entries(fields).map(([name, value]) => `${name}=${textOf(value)}`);
    err.write(`${paint(styles[level], level)} ${[...rest, message].join(' ')}\n`);
  });
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
