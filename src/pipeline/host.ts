import { type LoadedPlugin, type ServiceBinding, serviceName, type Tracer } from '../sdk/index.js';
import { toAssizeError, AssizeError, type Problem } from '../base/index.js';
import { type ProfileFiles, type PluginLoader, loadShipped, type ShippedPlugins } from '../profile/index.js';
import type { MemoryFiles } from '../services/node.js';

/**
 * The platform-dependent capabilities of a pipeline. Each entry point passes its own host: Node's has files and
 * packages, a page's does not, and the host of an untrusted profile refuses all of them.
 */
export interface Host {
  readonly files: ProfileFiles;
  readonly memoryFiles: MemoryFiles;
  readonly loadPlugin: PluginLoader;
  /** The plugin that every profile can use. */
  readonly core: LoadedPlugin;
  /** Reports runs to trace subscribers. */
  readonly tracer: Tracer;
  /**
   * The built-in services of this platform, in addition to those of all platforms. They access the outside: a model
   * that is downloaded, an endpoint, a native library.
   */
  readonly services: readonly ServiceBinding[];
}

/**
 * The host of an untrusted profile. It refuses all access to the outside. Loading also checks the profile, so that
 * every problem is reported with its place.
 *
 * A built-in service throws when a unit opens it, unless the caller binds another service to its token.
 */
export function untrustedHost({ files, services, tracer, core }: Host, shipped: ShippedPlugins): Host {
  return {
    files,
    tracer,
    core,
    memoryFiles: {
      open: (path) => {
        throw refusedForUnit(`the memory file ${path}`, 'remove it; the memory then exists as long as the pipeline');
      },
      lock: () => Promise.reject(new Error('no memory file was opened')),
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

/** The error of a refused service. The problem of the unit has the place, and contains this text. */
function refusedForUnit(what: string, instead: string): AssizeError {
  const problem: Problem = {
    code: 'ASZ111',
    message: `${what} is not available to an untrusted profile`,
    hint: instead,
  };
  return new AssizeError([problem], `${problem.message}\n${instead}`);
}
