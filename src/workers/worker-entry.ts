/**
 * What a thread begins with, which is nearly nothing: the pool requires it, and a process that ends while Node requires
 * many modules at once in a thread is aborted (`v8::Module::IsGraphAsync must be used on an instantiated module`).
 *
 * @module
 */
import type { WorkerTask } from './worker-messages.js';
import type { runWorkerTask } from './worker-thread.js';

export default async function handleTask(task: WorkerTask): ReturnType<typeof runWorkerTask> {
  return (await import('./worker-thread.js')).runWorkerTask(task);
}
