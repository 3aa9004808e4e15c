/**
 * Plugins: modules to classes by name.
 * What other rooms use of this one.
 *
 * @module
 */

export { readPlugin, serviceProblems } from './read-plugin.js';
export { loadShipped, type ShippedPlugins } from './shipped-plugins.js';
