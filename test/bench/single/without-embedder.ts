import { register } from 'node:module';

const HOOK = `export const resolve = (name, context, next) => {
  if (name !== '@huggingface/transformers') return next(name, context);
  throw Object.assign(new Error('Cannot find package ' + name), { code: 'ERR_MODULE_NOT_FOUND' });
};`;

/** From now on, this process behaves as if the package of embedders were not installed. */
export const hideTransformers = (): void => register(`data:text/javascript,${encodeURIComponent(HOOK)}`);
