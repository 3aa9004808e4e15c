import { fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageRoot } from '../../src/base/package-root.js';
import { PATIENCE_MS } from '../patience.js';

const CHILD = join(packageRoot(), 'dist', 'test', 'fuzz', 'child.js');

/** The time after which an input counts as a hang, on a busy machine. */
const WATCHDOG = PATIENCE_MS / 2;

/** The failure of one input; the same seed reproduces it. */
export interface Finding {
  readonly kind: string;
  readonly seed: number;
  readonly what: string;
}

interface Message {
  readonly seed: number;
  readonly failure?: string;
}

/**
 * Runs inputs with the seeds from `from` on. A process that crashes or hangs is replaced by another, after that seed.
 */
export async function fuzz(kind: string, from: number, count: number): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  const folder = mkdtempSync(join(tmpdir(), 'assize-fuzz-'));
  try {
    for (let next = from; next < from + count && findings.length < 20; ) {
      // oxlint-disable-next-line no-await-in-loop -- the end of one determines the start of the next
      next = await oneProcess(kind, next, from + count - next, folder, findings);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
  return findings;
}

function oneProcess(kind: string, from: number, count: number, folder: string, findings: Finding[]): Promise<number> {
  const child = fork(CHILD, [kind, String(from), String(count)], {
    cwd: folder,
    execArgv: ['--max-old-space-size=512'],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let seed = from;
  let said = '';
  child.stderr?.on('data', (part: Buffer) => (said = (said + part.toString()).slice(-1000)));
  let hangs = false;
  let timer: NodeJS.Timeout | undefined;
  const watch = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      hangs = true;
      child.kill('SIGKILL');
    }, WATCHDOG);
  };
  watch();
  child.on('message', (message: Message) => {
    watch();
    ({ seed } = message);
    if (message.failure !== undefined) findings.push({ kind, seed, what: message.failure });
  });
  return new Promise((resolve) => {
    child.on('close', (code) => {
      clearTimeout(timer);
      if (code !== 0)
        findings.push({ kind, seed, what: hangs ? `hangs for ${WATCHDOG} ms` : `ends with ${code}: ${said}` });
      resolve(code === 0 ? from + count : seed + 1);
    });
  });
}
