import { AssizeError } from '../../diagnostics/index.js';

/** What is wrong with a model, or with what is asked of it. */
export const onnxError = (message: string, cause?: unknown): AssizeError =>
  new AssizeError([{ code: 'ASZ546', message }], message, { cause });
