/**
 * The entry of a worker thread. It imports nothing up front: the pool requires it, and a process that ends while Node is
 * requiring many modules in a thread is aborted (`v8::Module::IsGraphAsync must be used on an instantiated module`).
 *
 * @module
 */
import type { WorkerTask } from './shared-run.js';
import type { runWorkerTask } from './worker-thread.js';

export default async function handleTask(task: WorkerTask): ReturnType<typeof runWorkerTask> {
  return (await import('./worker-thread.js')).runWorkerTask(task);
}
