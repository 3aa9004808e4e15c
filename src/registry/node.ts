/**
 * What of this room needs Node: plugins that are files and packages.
 *
 * @module
 */

export { forgetModules, isKeptForGood, pluginModules } from './plugin-modules.js';
export { loadPlugin, type PluginHost } from './load-plugin.js';
