import { type ServiceBinding, serviceName, type Tracer } from '../sdk/index.js';
import { toAssizeError, AssizeError, type Problem } from '../base/index.js';
import { type ProfileFiles, type PluginLoader, loadShipped, type ShippedPlugins } from '../profile/index.js';
import type { MemoryFiles } from '../services/node.js';

/**
 * The place that a pipeline runs in: what it can only do by means that not every place has. An entry point gives its
 * own: Node's has files and packages, a page's has none, and that of a profile which is not trusted refuses all of it.
 */
export interface Host {
  readonly files: ProfileFiles;
  readonly memoryFiles: MemoryFiles;
  readonly loadPlugin: PluginLoader;
  /** Tells those who follow runs what is done. */
  readonly tracer: Tracer;
  /**
   * The services that are built in here, besides those that are everywhere. They reach outside: a model that is
   * downloaded, an endpoint, a native library.
   */
  readonly services: readonly ServiceBinding[];
}

/**
 * A host for a profile that is not trusted. Its means to reach outside are taken away, whatever a profile says; what it
 * says is also checked when it is loaded, so that every problem is reported with its place.
 *
 * A service that is built in is refused if a unit opens it, unless the caller binds another to its token.
 */
export function untrustedHost({ files, services, tracer }: Host, shipped: ShippedPlugins): Host {
  return {
    files,
    tracer,
    memoryFiles: {
      open: (path) => {
        throw refusedForUnit(`the memory file ${path}`, 'remove it; the memory then exists as long as the pipeline');
      },
      replace: () => Promise.resolve(),
    },
    loadPlugin: async (spec, _, loaded) => {
      const plugin = await loadShipped(spec, shipped, loaded);
      if (plugin) return plugin;
      const names = Object.keys(shipped).join(', ');
      const message = `expected a shipped plugin in an untrusted profile, found ${spec}`;
      const hint = `shipped plugins: ${names}; the host can pass its own units: createPipeline(profile, { units })`;
      throw toAssizeError([{ code: 'ASZ111', message, hint }]);
    },
    services: services.map(({ token }) => ({ token, value: refusedService(token) })),
  };
}

/** A service that fails if a unit opens it. */
function refusedService(token: symbol): { open: () => never; check: () => never } {
  const fail = (): never => {
    throw refusedForUnit(`the ${serviceName(token)}`, 'the host may bind one: createPipeline(profile, { services })');
  };
  return { open: fail, check: fail };
}

/** The error of a unit's service: the unit's problem has the place, and this text in its message. */
function refusedForUnit(what: string, instead: string): AssizeError {
  const problem: Problem = {
    code: 'ASZ111',
    message: `${what} is not available to an untrusted profile`,
    hint: instead,
  };
  return new AssizeError([problem], `${problem.message}\n${instead}`);
}
