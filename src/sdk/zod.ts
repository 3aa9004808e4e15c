export * as z from './zod-names.js';
