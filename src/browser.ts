/**
 * Assize without Node: for pages, workers of pages and edge runtimes. Presets, the plugins that ship, and profiles given
 * as objects or texts; no files, no threads.
 *
 * @module
 */
export {
  type BrowserPipelineOptions as PipelineOptions,
  createBrowserPipeline as createPipeline,
} from './pipeline/index.js';
export * from './portable.js';
