import { execFileSync } from 'node:child_process';
import { closeSync, ftruncateSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A file system of few pages that can be filled: a real one, in memory. */
export interface SmallDisk {
  readonly folder: string;
  /** Fills it except for this many pages. */
  readonly leaveFree: (pages: number) => void;
  readonly remount: (options: string) => void;
  readonly unmount: () => void;
}

const PAGE = Buffer.alloc(4096);
const FILLER = 'filler';

/** Mounts a disk; undefined if that is not permitted: it needs root on Linux. */
export function mountSmallDisk(pages: number, options = ''): SmallDisk | undefined {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'small-disk-'));
  const mount = (...args: string[]): void => void execFileSync('mount', args, { stdio: 'ignore' });
  try {
    mount('-t', 'tmpfs', '-o', `size=${pages * PAGE.length}${options}`, 'tmpfs', folder);
  } catch {
    rmSync(folder, { recursive: true });
    return undefined;
  }
  return {
    folder,
    leaveFree: (free) => fillUp(join(folder, FILLER), free),
    remount: (how) => mount('-o', `remount,${how}`, folder),
    unmount: () => {
      execFileSync('umount', ['-l', folder], { stdio: 'ignore' });
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function fillUp(filler: string, free: number): void {
  rmSync(filler, { force: true });
  const file = openSync(filler, 'w');
  try {
    let pages = 0;
    for (; writesPage(file); pages++);
    ftruncateSync(file, Math.max(0, pages - free) * PAGE.length);
  } finally {
    closeSync(file);
  }
}

function writesPage(file: number): boolean {
  try {
    return writeSync(file, PAGE) === PAGE.length;
  } catch {
    return false;
  }
}
