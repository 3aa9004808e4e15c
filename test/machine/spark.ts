import { spawnSync } from 'node:child_process';
import { PATIENCE_MS } from '../patience.js';

/** A Python with pyspark: ASSIZE_TEST_PYSPARK, otherwise python3 if it has pyspark; otherwise undefined. */
export function pythonWithSpark(): string | undefined {
  const named = process.env['ASSIZE_TEST_PYSPARK'];
  const python = named ?? 'python3';
  const { status } = spawnSync(python, ['-c', 'import pyspark'], { stdio: 'ignore', timeout: PATIENCE_MS });
  if (status === 0) return python;
  if (named !== undefined) throw new Error(`ASSIZE_TEST_PYSPARK: ${named} has no pyspark`);
  return undefined;
}
