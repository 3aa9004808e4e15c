/**
 * The entry point of a worker thread. It has no static imports: the pool requires it, and Node aborts a process that ends
 * while a thread requires many modules (`v8::Module::IsGraphAsync must be used on an instantiated module`).
 *
 * @module
 */
import type { WorkerTask } from './messages.js';
import type { runWorkerTask } from './worker-thread.js';

export default async function handleTask(task: WorkerTask): ReturnType<typeof runWorkerTask> {
  return (await import('./worker-thread.js')).runWorkerTask(task);
}
