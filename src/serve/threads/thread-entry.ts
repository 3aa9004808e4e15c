/**
 * The entry of a thread that answers requests. It imports nothing up front, as that of the threads which rank files.
 *
 * @module
 */
import type { answerTask } from './answer-task.js';
import type { ThreadTask } from './messages.js';

export default async function handleTask(task: ThreadTask): ReturnType<typeof answerTask> {
  return (await import('./answer-task.js')).answerTask(task);
}
