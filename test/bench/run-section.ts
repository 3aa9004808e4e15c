import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Measured } from './measured.js';
import type { Result } from './result.js';
import type { Section } from './section.js';

const CHILD = fileURLToPath(new URL('child.js', import.meta.url));
/** Longer than any section takes on a slow machine, so that a section that hangs does not block the others. */
const PATIENCE = 10 * 60_000;

/** Measures a section in its own process. */
export async function runSection(section: Section, hear: (result: Result) => void): Promise<Measured> {
  const results: Result[] = [];
  const child = fork(CHILD, [section.name], {
    execArgv: ['--expose-gc'],
    serialization: 'advanced', // JSON would turn a value that is not finite into null
    timeout: section.patience ?? PATIENCE,
  });
  child.on('message', (message) => {
    const result = message as Result;
    results.push(result);
    hear(result);
  });
  const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
  if (code === 0) return { section, results };
  return { section, results, failure: `its process exited with ${code ?? signal}` };
}
