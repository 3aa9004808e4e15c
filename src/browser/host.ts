import { type Host, SHIPPED_PLUGINS } from '../compose.js';
import { type Problem, toAssizeError } from '../diagnostics/index.js';
import { loadShipped } from '../registry/index.js';
import { embedderToken, LANGUAGE_MODELS, NEIGHBOUR_GRAPHS } from '../services/index.js';

/** What there is not, with what to do instead. */
function absent(message: string, hint: string, at: Pick<Problem, 'path' | 'place'> = {}): Error {
  return toAssizeError([{ code: 'ASZ110', message: `${message} in assize/browser`, hint, ...at }]);
}

/** A service that is built in elsewhere: it fails where a unit opens it, and a service given in code replaces it. */
function absentService(name: string, token: string): { open: () => never; check: () => never } {
  const fail = (): never => {
    const hint = `give one in code: createPipeline(profile, { services: [{ token: ${token}, value }] })`;
    throw absent(`there is no ${name}`, hint);
  };
  return { open: fail, check: fail };
}

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
    open: (path, _, named) => {
      const hint = 'remove it: the memory then lasts as long as the pipeline';
      throw absent(`there is no memory file ${path}`, hint, named);
    },
    replace: () => Promise.resolve(),
  },
  loadPlugin: async (spec, _, loaded) => {
    const plugin = await loadShipped(spec, SHIPPED_PLUGINS, loaded);
    if (plugin) return plugin;
    const hint = `import its units, and give them: createPipeline(profile, { units }); plugins here: ${Object.keys(SHIPPED_PLUGINS).join(', ')}`;
    throw absent(`plugin ${spec} is not`, hint);
  },
  services: [
    {
      token: embedderToken('transformers'),
      value: absentService('embedder transformers', "embedderToken('transformers')"),
    },
    { token: LANGUAGE_MODELS, value: absentService('language model', 'LANGUAGE_MODELS') },
    { token: NEIGHBOUR_GRAPHS, value: absentService('approximate index', 'NEIGHBOUR_GRAPHS') },
  ],
};
