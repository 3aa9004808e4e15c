/**
 * The entry of a thread that answers requests. Like the entry of ranking threads, it imports lazily.
 *
 * @module
 */
import type { answerTask } from './answer-task.js';
import type { ThreadTask } from './messages.js';

export default async function handleTask(task: ThreadTask): ReturnType<typeof answerTask> {
  return (await import('./answer-task.js')).answerTask(task);
}
