import { loadPlugins } from '../../container.js';
import { paramControls } from '../data/param-controls.js';
import { isMap, type ProfileDocument } from '../data/profile-document.js';
import type { ParamControl, StudioData } from '../data/studio-data.js';

/** The numbers among the params of entries whose classes ship. */
export async function entryControls(profile: ProfileDocument): Promise<StudioData['controls']> {
  const plugins = await loadPlugins(undefined);
  const controls: Record<string, readonly ParamControl[]> = {};
  for (const key of ['tier1_scorers', 'measures', 'tier2_scorers']) {
    const list: unknown = profile[key];
    for (const entry of Array.isArray(list) ? (list as unknown[]) : []) {
      if (!isMap(entry) || typeof entry['class'] !== 'string') continue;
      const [name, from] = entry['class'].split('/').toReversed();
      const unit = plugins.find((one) => (from ?? one.name) === one.name && one.units.has(name!))?.units.get(name!);
      const params: unknown = entry['params'] ?? {};
      const found = unit && isMap(params) ? paramControls(unit, params) : [];
      if (found.length > 0) controls[String(entry['id'])] = found;
    }
  }
  return controls;
}
