/**
 * `assize/browser` for the studio's page, which loads as little as possible at its start.
 *
 * @module
 */
export {
  type BrowserPipelineOptions as PipelineOptions,
  createSmallPipeline as createPipeline,
} from './pipeline/index.js';
export * from './portable.js';
