/**
 * A plugin whose scorer blocks the first thread until another one has scored a part, if the context names a file for
 * that in `met`.
 */
export const MEETS = `import { existsSync, writeFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { isMainThread } from 'node:worker_threads';
import { defineScorer, z } from 'assize/sdk';
export class Meets {
  static meta = defineScorer({ summary: 'Waits for another.', scope: 'candidate', params: z.strictObject({}) });
  async prepare(_, { context: { met }, candidates }) {
    if (met && !isMainThread) writeFileSync(met, '');
    while (met && isMainThread && !existsSync(met)) await wait(5);
    const column = candidates.map(({ forks }) => forks / 2);
    return (_candidate, index) => column[index];
  }
}
`;
