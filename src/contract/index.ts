/**
 * What a unit is: the interfaces, the helpers that define one, and what plugins and services are.
 *
 * @module
 */
export * from './meta.js';
export * from './unit.js';
export { type Ask, type Asked, type AskOptions, EntryTimedOut, timeoutSignal, timerMs } from './function-unit.js';
export * from './function-unit.js';
export * from './meta.js';
export * from './plugin.js';
export * from './trace.js';
export * from './unit.js';
export * from './unit.js';
export * from './plugin.js';
export * from './trace.js';
export * from './unit.js';
