/**
 * The public part of `profile` that needs Node.
 *
 * @module
 */

export { nodeFiles, parseDocument } from './node-files.js';
export { forgetModules, isKeptForGood, loadPlugin, type PluginHost, pluginModules } from './registry/plugin-loader.js';
