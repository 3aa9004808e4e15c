import { type Command, Option } from 'commander';
import type { LogEntry, ServeOptions } from '../serve/index.js';
import { choiceOption, parseInteger } from './options.js';
import type { Io, Output } from './terminal/io.js';
import { usageError } from './terminal/problems.js';
import { createStyler } from './terminal/styler.js';

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
Each NAME.yaml of the folder is a profile, and each folder in it a tenant. What
changes there takes effect at once, where it can be used.

  POST /v1/rerank    as Cohere, Jina and Voyage have it: the model is a profile
  POST /v1/rank      /v1/score, /v1/pack, /v1/explain, /v1/compare: everything
  GET  /v1/profiles  /openapi.json, /healthz, /readyz, /metrics

Tokens are asked for where there are some: ASSIZE_TOKEN opens every profile, and
--tokens names a file with one for each tenant: { acme: …, bolt: … }.
SIGTERM stops it: for the time of --drain /readyz says 503 and everything is
still answered, so that a proxy in front sends the next request elsewhere; then
what has begun is answered. SIGINT stops it without that time. SIGHUP reads the
profiles again.

What a tenant sends is bounded, so that it keeps no other from being answered:
its requests under way, its turns among those that run, its uploads and their
bytes. The page of src/serve says how many, and what a proxy needs.

Examples:
  assize serve --profiles ./profiles
  assize serve --profiles ./profiles --tokens ./tokens.yaml --log json
  ASSIZE_TOKEN=$(openssl rand -hex 24) assize serve --host 0.0.0.0`;

/** `assize serve`: answers over HTTP by the profiles of a folder. */
export function serve(command: Command, io: Io): void {
  command
    .summary('answer over HTTP by the profiles of a folder')
    .description('Serves the profiles of a folder over HTTP, and watches them.')
    .option('--profiles <folder>', 'the folder', '.')
    .option('--port <number>', '0: any that is free', parseInteger('--port', 0), 8080)
    .option('--host <address>', 'what it listens on', '127.0.0.1')
    .option('--tokens <file>', 'a token for each tenant, as YAML or JSON')
    .option('--allow-anonymous', 'needs no token on another address: a proxy authenticates requests')
    .addOption(new Option('--open').hideHelp())
    .option('--inline', 'a request may bring a profile of its own, which reaches nothing outside')
    .option('--allow-host <names...>', 'other names that it is called by')
    .option('--cors <origins...>', 'origins of pages that may ask')
    .option('--timeout <ms>', 'how long a request may take', parseInteger('--timeout', 1))
    .option('--concurrency <number>', 'how many requests run at one time', parseInteger('--concurrency', 1))
    .option('--threads <number>', 'threads that answer large requests; 0: none', parseInteger('--threads', 0))
    .option('--drain <ms>', 'how long it answers on after SIGTERM', parseInteger('--drain', 0), 5000)
    .addOption(choiceOption('--log <format>', 'of what is said on standard error', ['text', 'json']).default('text'))
    .addHelpText('after', HELP)
    .action((options: ServeVerbOptions) => run(options, io));
}

async function run(
  { tokens, allowHost, timeout, concurrency, drain, log, open, ...options }: ServeVerbOptions,
  io: Io,
): Promise<void> {
  if (open) throw usageError('assize serve has no option --open', 'it is called --allow-anonymous now');
  const [{ startServer }, { readTokens }] = await Promise.all([
    import('../serve.js'),
    import('../serve/read-tokens.js'),
  ]);
  const given: ServeOptions = {
    ...options,
    tokens: await readTokens(tokens, io.env['ASSIZE_TOKEN']),
    allowHosts: allowHost ?? [],
    limits: { ...(timeout && { time: timeout }), ...(concurrency && { concurrent: concurrency }) },
    log: log === 'json' ? jsonLog(io.err) : textLog(io.err),
  };
  const server = await startServer(given);
  io.err.write(`assize answers at ${server.url}\n`);
  const signal = await untilStopped(() => void server.profiles.refresh());
  io.err.write('stopping: what has begun is answered\n');
  // A person who presses Ctrl-C has no proxy in front.
  await server.close({ drain: signal === 'SIGTERM' ? drain : 0 });
}

/** Waits for a signal that ends the process; a second one of its kind ends it at once. */
async function untilStopped(reload: () => void): Promise<NodeJS.Signals> {
  process.on('SIGHUP', reload);
  const signal = await new Promise<NodeJS.Signals>((resolve) => {
    process.once('SIGTERM', resolve);
    process.once('SIGINT', resolve);
  });
  process.off('SIGHUP', reload);
  return signal;
}

type Log = (entry: LogEntry) => void;

/** A line of JSON for each entry, with its time, for a collector of logs. */
const jsonLog =
  (err: Output): Log =>
  (entry) =>
    err.write(`${JSON.stringify({ time: new Date().toISOString(), ...entry })}\n`);

/** The same for people. */
function textLog(err: Output): Log {
  const paint = createStyler(err.colour);
  const styles = { info: 'faint', warning: 'yellow', error: 'red' } as const;
  return ({ level, message, ...fields }) => {
    const rest = Object.entries(fields).map(([name, value]) => `${name}=${textOf(value)}`);
    err.write(`${paint(styles[level], level)} ${[...rest, message].join(' ')}\n`);
  };
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
