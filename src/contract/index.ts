/**
 * The contract between the engine and units: the interfaces of units, the functions that define them, plugins, services
 * and trace messages.
 *
 * @module
 */
export * from './function-unit.js';
export * from './meta.js';
export * from './plugin.js';
export * from './trace.js';
export * from './unit.js';
