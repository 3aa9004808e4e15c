import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the range of ephemeral ports: the system gives none of these to other programs. */
const [FIRST, LAST] = [10_000, 30_000];

/** A port that nothing listens on. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST + Math.floor(Math.random() * (LAST - FIRST));
    const probe = createServer().listen(port);
    // oxlint-disable-next-line no-await-in-loop -- the next one if this is taken
    const taken = await once(probe, 'listening').then(
      () => undefined,
      (error: NodeJS.ErrnoException) => error,
    );
    if (taken && taken.code !== 'EADDRINUSE') throw taken;
    if (taken) continue;
    probe.close();
    await once(probe, 'close'); // oxlint-disable-line no-await-in-loop
    return port;
  }
}
