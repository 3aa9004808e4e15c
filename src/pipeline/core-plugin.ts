import * as core from '../../plugins/core/index.js';
import { readPlugin } from '../profile/index.js';
import type { LoadedPlugin } from '../sdk/index.js';

/** The plugin that every profile can use. */
export const corePlugin: LoadedPlugin = readPlugin('core', core);
