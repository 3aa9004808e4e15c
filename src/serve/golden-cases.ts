import { existsSync } from 'node:fs';
import { checkExpectations, readExpectations } from '../evaluate/index.js';
import type { TryPipeline } from './profiles/index.js';

/**
 * Tries a version of a profile on its golden cases: what `NAME.expect.yaml` beside it expects of its rankings, as `assize expect` checks it. Teaches no
 * memory. A profile without such a file has nothing to fail.
 */
export const tryGoldenCases: TryPipeline = async (pipeline, file) =>
  existsSync(file) ? (await checkExpectations(pipeline, await readExpectations(file))).failures : [];
