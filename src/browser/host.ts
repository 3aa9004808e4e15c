import { SHIPPED_PLUGINS } from '../container.js';
import { AssizeError, toAssizeError } from '../diagnostics/index.js';
import type { Host } from '../host.js';
import { loadShipped } from '../registry/index.js';
import {
  CROSS_ENCODERS,
  embedderToken,
  LANGUAGE_MODELS,
  NEIGHBOUR_GRAPHS,
  noTracer,
  ONNX_MODELS,
} from '../services/index.js';

/** What there is not, with what to do instead: of the profile itself, which has the place. */
const absent = (message: string, hint: string): Error =>
  toAssizeError([{ code: 'ASZ110', message: `${message} in assize/browser`, hint }]);

/** The same where a unit asks for it: the unit's problem has the place, and this text in its message. */
function absentForUnit(name: string, instead: string): Error {
  const message = `there is no ${name} in assize/browser\n${instead}`;
  return new AssizeError([{ code: 'ASZ110', message }], message);
}

/** A service that is built in elsewhere: it fails where a unit opens it, and a service given in code replaces it. */
function absentService(name: string, instead: string): { open: () => never; check: () => never } {
  const fail = (): never => {
    throw absentForUnit(name, instead);
  };
  return { open: fail, check: fail };
}

/** How a service is given in code, by the name of its token. */
const given = (token: string): string => `createPipeline(profile, { services: [{ token: ${token}, value }] })`;

/** A page, or anything else without files and without packages of Node. */
export const PAGE: Host = {
  files: {
    resolve: (_, path) => path,
    relative: (_, path) => path,
    sibling: () => undefined,
    read: (file) => {
      const hint = 'fetch its text, and give that: createPipeline({ yaml, name })';
      return Promise.reject(absent(`cannot read ${file}: there are no files`, hint));
    },
  },
  memoryFiles: {
    open: (path) => {
      throw absentForUnit(`memory file ${path}`, 'remove it: the memory then lasts as long as the pipeline');
    },
    replace: () => Promise.resolve(),
  },
  loadPlugin: async (spec, _, loaded) => {
    const plugin = await loadShipped(spec, SHIPPED_PLUGINS, loaded);
    if (plugin) return plugin;
    const hint = `import its units, and give them: createPipeline(profile, { units }); plugins here: ${Object.keys(SHIPPED_PLUGINS).join(', ')}`;
    throw absent(`plugin ${spec} is not`, hint);
  },
  tracer: noTracer,
  services: [
    {
      token: embedderToken('transformers'),
      value: absentService(
        'embedder transformers',
        `name the embedder lexical, or give this one: ${given("embedderToken('transformers')")}`,
      ),
    },
    {
      token: CROSS_ENCODERS,
      value: absentService('cross-encoder', `give one that asks your server: ${given('CROSS_ENCODERS')}`),
    },
    {
      token: LANGUAGE_MODELS,
      value: absentService('language model', `give one that asks your server: ${given('LANGUAGE_MODELS')}`),
    },
    {
      token: NEIGHBOUR_GRAPHS,
      value: absentService('approximate index', `leave out index, or give one: ${given('NEIGHBOUR_GRAPHS')}`),
    },
    {
      token: ONNX_MODELS,
      value: absentService('model in the ONNX format', `give one: ${given('ONNX_MODELS')}`),
    },
  ],
};
