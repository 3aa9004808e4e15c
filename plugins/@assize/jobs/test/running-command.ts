import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { packageRoot } from '../../../../src/base/package-root.js';
import { eventually } from '../../../../test/eventually.js';

const CLI = join(packageRoot(), 'dist', 'bundle', 'cli.js');

/** A running command of the build. */
export class Running {
  readonly process: ChildProcess;
  out = '';
  err = '';

  constructor(cwd: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) {
    const options = { cwd, env: { ...process.env, NO_COLOR: '1', ...env } };
    this.process = spawn(process.execPath, [CLI, ...args], options);
    this.process.stdout?.on('data', (part) => (this.out += String(part)));
    this.process.stderr?.on('data', (part) => (this.err += String(part)));
  }

  /** Waits until it has written to standard error this many times. */
  until(what: RegExp, times = 1): Promise<void> {
    const all = new RegExp(what, 'g');
    return eventually(() => {
      if ((this.err.match(all)?.length ?? 0) < times) throw new Error(`${what} is not in ${this.err}`);
    });
  }

  async code(): Promise<number | null> {
    if (this.process.exitCode === null && this.process.signalCode === null) await once(this.process, 'close');
    return this.process.exitCode;
  }

  kill(signal: NodeJS.Signals): void {
    this.process.kill(signal);
  }
}
