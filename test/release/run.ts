import { spawnSync } from 'node:child_process';

/** The environment of a user: no settings of the test run, and a terminal of 80 columns without colours. */
const environment = { ...process.env, NODE_OPTIONS: '', NO_COLOR: '1', COLUMNS: '80' };

interface RunOptions {
  readonly cwd: string;
}

/** The exit code of a command, and all that it has printed. */
export function outcome(command: string, args: readonly string[], { cwd }: RunOptions): [code: number, output: string] {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd,
    env: environment,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  return [status ?? 1, `${stdout ?? ''}${stderr ?? ''}${error === undefined ? '' : error.message}`];
}

/**
 * The standard output of a command.
 *
 * @throws Error if it fails, with its output
 */
export function run(command: string, args: readonly string[], { cwd }: RunOptions): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd,
    env: environment,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  if (status === 0) return stdout;
  throw new Error(`${command} ${args.join(' ')} fails:\n${error === undefined ? `${stdout}${stderr}` : error.message}`);
}
