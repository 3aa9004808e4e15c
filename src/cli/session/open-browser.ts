import { toError } from '../../diagnostics/index.js';
import { importOptional, type OptionalPackage, rethrow } from '../../services/optional-package.js';
import type { Environment, Io } from '../terminal/io.js';

/** What is used of `open`. */
interface OpenLibrary {
  readonly default: (address: string) => Promise<unknown>;
}

const OPEN: OptionalPackage<OpenLibrary> = {
  name: 'open',
  neededBy: 'opening a browser',
  part: 'default export',
  isLibrary: (module): module is OpenLibrary =>
    typeof module === 'object' && module !== null && typeof Reflect.get(module, 'default') === 'function',
};

/** Whether a browser would be seen: Linux needs a display, or the Windows that it is in. */
export const hasBrowser = (platform: NodeJS.Platform, env: Environment): boolean =>
  !env['CI'] &&
  (platform !== 'linux' || ['DISPLAY', 'WAYLAND_DISPLAY', 'WSL_DISTRO_NAME'].some((name) => Boolean(env[name])));

/** Opens an address where the output is a terminal and there is a browser; elsewhere the address that was written is all. */
export async function openBrowser(address: string, { out, err, env }: Io): Promise<void> {
  if (!out.terminal || !hasBrowser(process.platform, env)) return;
  try {
    const { default: open } = await importOptional(OPEN, () => import('open').catch(rethrow));
    await open(address);
  } catch (error) {
    err.write(`${toError(error).message}\n`); // the address stands there all the same
  }
}
