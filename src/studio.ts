/**
 * The studio: a page in which a ranking is weighed again, and the weights are written back.
 *
 * @module
 */

export { exportStudio, openStudio, type StudioOptions, type Studio, type StudioSource } from './studio/index.js';
