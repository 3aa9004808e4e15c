/**
 * What a thread begins with, which is nearly nothing: the pool requires it, and a process that ends while Node requires
 * many modules at once in a thread is aborted (`v8::Module::IsGraphAsync must be used on an instantiated module`).
 *
 * @module
 */
import type { Task } from './tasks.js';
import type { work } from './thread.js';

export default async function begin(task: Task): ReturnType<typeof work> {
  return (await import('./thread.js')).work(task);
}
