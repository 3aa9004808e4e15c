/**
 * The exports of `profile` that need Node.
 *
 * @module
 */

export { nodeFiles, parseDocument } from './node-files.js';
export {
  forgetModules,
  isKeptForGood,
  loadPlugin,
  pluginFile,
  type PluginHost,
  pluginModules,
} from './registry/plugin-loader.js';
