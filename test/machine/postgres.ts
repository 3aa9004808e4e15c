import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PATIENCE_MS } from '../patience.js';
import { freePort } from './free-port.js';

/** A PostgreSQL server for tests. */
export interface TestPostgres {
  readonly url: string;
  stop(): void;
}

const HOMES = '/usr/lib/postgresql';

/** The newest version of the programs from Debian, otherwise those on the path. */
function program(name: string): string | undefined {
  const versions = existsSync(HOMES) ? readdirSync(HOMES).toSorted((a, b) => Number(b) - Number(a)) : [];
  const found = versions.map((version) => join(HOMES, version, 'bin', name)).find(existsSync);
  if (found !== undefined) return found;
  return spawnSync(name, ['--version'], { stdio: 'ignore' }).status === 0 ? name : undefined;
}

/** Whether a server is available: the one in ASSIZE_TEST_POSTGRES, or one that the test can start. */
export const hasPostgres = (): boolean =>
  process.env['ASSIZE_TEST_POSTGRES'] !== undefined ||
  (program('initdb') !== undefined &&
    program('pg_ctl') !== undefined &&
    (process.getuid?.() !== 0 || user() !== undefined));

/** PostgreSQL does not run as root: then it runs as the user that its package creates. */
const user = (): string | undefined =>
  spawnSync('id', ['postgres'], { stdio: 'ignore' }).status === 0 ? 'postgres' : undefined;

/** Starts a server with a new cluster on a free port; a given server is used unchanged. */
export async function startPostgres(): Promise<TestPostgres> {
  const named = process.env['ASSIZE_TEST_POSTGRES'];
  if (named !== undefined) return { url: named, stop: () => {} };
  const folder = mkdtempSync(join(tmpdir(), 'assize-postgres-'));
  const data = join(folder, 'data');
  const isRoot = process.getuid?.() === 0;
  if (isRoot) {
    chmodSync(folder, 0o755);
    execFileSync('chown', [user()!, folder]);
  }
  const run = (name: string, ...args: readonly string[]): void => {
    const command = [program(name)!, ...args];
    const [file, ...rest] = isRoot
      ? ['setpriv', `--reuid=${user()}`, '--regid=nogroup', '--clear-groups', ...command]
      : command;
    // Its output must not be a pipe: the server would keep it open.
    execFileSync(file!, rest, { stdio: 'ignore', timeout: PATIENCE_MS, cwd: folder });
  };
  const port = await freePort();
  run('initdb', '-D', data, '-A', 'trust', '-U', 'assize', '-E', 'UTF8', '--locale=C.UTF-8', '--no-sync');
  run(
    'pg_ctl',
    '-D',
    data,
    '-w',
    '-o',
    `-p ${port} -k ${folder} -c listen_addresses=127.0.0.1 -F`,
    '-l',
    join(folder, 'log'),
    'start',
  );
  return {
    url: `postgres://assize@127.0.0.1:${port}/postgres`,
    stop: () => {
      run('pg_ctl', '-D', data, '-m', 'immediate', 'stop');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
