/**
 * What a unit is: the interfaces, the helpers that define one, and what plugins and services are.
 *
 * @module
 */
export * from './child.js';
export * from './fewest-covering.js';
export type { Ask, Asked, AskOptions } from './ask-each.js';
export * from './function-unit.js';
export * from './meta.js';
export * from './plugin.js';
export * from './progress.js';
export * from './run.js';
export * from './score.js';
export * from './service.js';
export { EntryTimedOut, timeoutSignal, timerMs } from './timer.js';
export * from './trace.js';
export * from './unit.js';
