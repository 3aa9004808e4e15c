/**
 * Plugins: modules to classes by name.
 * What other rooms use of this one.
 *
 * @module
 */

export { readPlugin, serviceProblems, loadShipped, type ShippedPlugins } from './read-plugin.js';
