export * from './child.js';
export { filePath, withBaseFolder } from './file-path.js';
export * from './meta.js';
export * from './note.js';
export * from './plugin.js';
export * from './run.js';
export * from './score.js';
export * from './service.js';
export * from './unit.js';
