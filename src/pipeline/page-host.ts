import { COMPOSE_OPTIONS, type ComposeOptions, composeProfile, SHIPPED_PLUGINS } from './container.js';
import { checkOptions, toAssizeError, AssizeError } from '../base/index.js';
import { Pipeline } from './pipeline.js';
import { type ProfileSource, loadShipped } from '../profile/index.js';
import type { Host } from './host.js';
import type { LoadedPlugin } from '../sdk/index.js';
import {
  embedderToken,
  noTracer,
  LANGUAGE_MODELS,
  ONNX_MODELS,
  CROSS_ENCODERS,
  NEIGHBOUR_GRAPHS,
} from '../services/index.js';

/**
 * Loads a profile and compiles it, as `createPipeline` of `assize/browser` specifies.
 *
 * @param core the plugin that every profile can use
 */
export async function createHostedPipeline<T>(
  profile: ProfileSource,
  options: ComposeOptions,
  core: LoadedPlugin,
): Promise<Pipeline<T>> {
  checkOptions('createPipeline', options, COMPOSE_OPTIONS);
  return new Pipeline<T>(await composeProfile({ ...PAGE, core }, profile, 'profile', options));
}

/** The error if the profile names something that browsers do not have. */
const absent = (message: string, hint: string): Error =>
  toAssizeError([{ code: 'ASZ110', message: `${message} in assize/browser`, hint }]);

/** The same error if a unit opens it. The problem of the unit has the place, and contains this text. */
function absentForUnit(name: string, instead: string): Error {
  const message = `there is no ${name} in assize/browser\n${instead}`;
  return new AssizeError([{ code: 'ASZ110', message }], message);
}

/** A service that only Node has. It throws when a unit opens it, unless `services` replaces it. */
function absentService(name: string, instead: string): { open: () => never; check: () => never } {
  const fail = (): never => {
    throw absentForUnit(name, instead);
  };
  return { open: fail, check: fail };
}

/** How to pass a service, as a hint. */
const given = (token: string): string => `createPipeline(profile, { services: [{ token: ${token}, value }] })`;

/** A platform without files and Node packages, such as a page. */
const PAGE: Omit<Host, 'core'> = {
  files: {
    resolve: (_, path) => path,
    relative: (_, path) => path,
    sibling: () => undefined,
    read: (file) => {
      const hint = 'fetch its text and pass it: createPipeline({ yaml, name })';
      return Promise.reject(absent(`cannot read ${file}: browsers have no files`, hint));
    },
  },
  memoryFiles: {
    open: (path) => {
      throw absentForUnit(`memory file ${path}`, 'remove it; the memory then exists as long as the pipeline');
    },
    lock: () => Promise.reject(new Error('no memory file was opened')),
  },
  loadPlugin: async (spec, _, loaded) => {
    const plugin = await loadShipped(spec, SHIPPED_PLUGINS, loaded);
    if (plugin) return plugin;
    const hint = `import its units and pass them: createPipeline(profile, { units }); plugins here: ${Object.keys(SHIPPED_PLUGINS).join(', ')}`;
    throw absent(`plugin ${spec} is not`, hint);
  },
  tracer: noTracer,
  services: [
    {
      token: embedderToken('transformers'),
      value: absentService(
        'embedder transformers',
        `use the embedder lexical, or pass this one: ${given("embedderToken('transformers')")}`,
      ),
    },
    {
      token: CROSS_ENCODERS,
      value: absentService('cross-encoder', `pass one that calls your server: ${given('CROSS_ENCODERS')}`),
    },
    {
      token: LANGUAGE_MODELS,
      value: absentService('language model', `pass one that calls your server: ${given('LANGUAGE_MODELS')}`),
    },
    {
      token: NEIGHBOUR_GRAPHS,
      value: absentService('approximate index', `remove index, or pass one: ${given('NEIGHBOUR_GRAPHS')}`),
    },
    {
      token: ONNX_MODELS,
      value: absentService('model in the ONNX format', `pass one: ${given('ONNX_MODELS')}`),
    },
  ],
};
