import { BackOff } from './back-off.js';
import { isRefusedCommand, isRefusedForNow } from './connection.js';
import type { TaskWorker } from './libraries.js';

/**
 * Lets a worker rest where its Redis refuses commands, as a full one does: BullMQ asks again at once, thousands of times
 * a second.
 *
 * @param closing aborted when the worker is closed: then it is not woken any more
 */
export function restWhereRefused(worker: TaskWorker, closing: AbortSignal): void {
  const waits = new BackOff();
  const rest = async (): Promise<void> => {
    await worker.pause(true);
    while (worker.isPaused() && !closing.aborted) {
      // oxlint-disable-next-line no-await-in-loop -- until it is awake
      await waits.wait(closing);
      if (!closing.aborted) worker.resume();
    }
  };
  worker.on('error', (error) => {
    if (isRefusedCommand(error) && !worker.isPaused()) void rest();
  });
  worker.on('active', () => waits.reset());
  worker.on('drained', () => waits.reset());
}

/**
 * Asks a Redis for something until it does not refuse it for now any longer: what a worker has computed is worth the wait.
 *
 * @param onRefusal called with each refusal
 * @throws the refusal where nobody waits any longer, and what else goes wrong
 */
export async function untilAccepted(
  ask: () => Promise<unknown>,
  abort: AbortSignal,
  onRefusal: (error: Error) => void,
): Promise<void> {
  const waits = new BackOff();
  // oxlint-disable no-await-in-loop -- one try after another
  for (;;) {
    try {
      return void (await ask());
    } catch (error) {
      if (!isRefusedForNow(error) || abort.aborted) throw error;
      onRefusal(error);
    }
    await waits.wait(abort);
  }
  // oxlint-enable no-await-in-loop
}
