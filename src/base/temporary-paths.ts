import { rmSync } from 'node:fs';
import process from 'node:process';

/** The files and folders of work in progress. */
const paths = new Set<string>();

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

function removeAll(): void {
  // DuckDB may add a file to a folder while it is removed.
  for (const path of paths) rmSync(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 20 });
  paths.clear();
}

/** Removes the paths, and ends the process as the signal does without a handler. */
function endBySignal(signal: NodeJS.Signals): void {
  unwatch();
  try {
    removeAll();
  } finally {
    process.kill(process.pid, signal);
  }
}

function watch(): void {
  for (const signal of SIGNALS) process.on(signal, endBySignal);
  process.on('exit', removeAll);
}

function unwatch(): void {
  for (const signal of SIGNALS) process.off(signal, endBySignal);
  process.off('exit', removeAll);
}

/**
 * Removes a file or a folder if the process ends before the work on it: by Ctrl-C, another signal, or `process.exit`.
 *
 * @returns a function that forgets the path, after the work has moved or removed it
 */
export function removeAtEnd(path: string): () => void {
  if (paths.size === 0) watch();
  paths.add(path);
  return () => {
    if (paths.delete(path) && paths.size === 0) unwatch();
  };
}
