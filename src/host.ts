import type { ServiceBinding } from './contract/index.js';
import type { PluginLoader, ProfileFiles } from './profile/index.js';
import type { MemoryFiles } from './services/index.js';

/**
 * The place that a pipeline runs in: what it can only do by means that not every place has. An entry point gives its
 * own: Node's has files and packages, a page's has none, and that of a profile which is not trusted refuses all of it.
 */
export interface Host {
  readonly files: ProfileFiles;
  readonly memoryFiles: MemoryFiles;
  readonly loadPlugin: PluginLoader;
  /**
   * The services that are built in here, besides those that are everywhere. They reach outside: a model that is
   * downloaded, an endpoint, a native library.
   */
  readonly services: readonly ServiceBinding[];
}
