/**
 * What of this room needs Node: plugins that are files and packages.
 *
 * @module
 */

export { loadPlugin, type PluginHost } from './load-plugin.js';
