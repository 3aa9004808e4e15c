/**
 * Plugins: modules to classes by name.
 * What other rooms use of this one.
 *
 * @module
 */

export { loadPlugin, type PluginHost, type ShippedPlugins } from './load-plugin.js';
export { readPlugin, serviceProblems } from './read-plugin.js';
