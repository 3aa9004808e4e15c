import { SpliceError } from '../../../@assize/studio/src/save/splice.js';
import { spliceYaml } from '../../../@assize/studio/src/save/splice-yaml.js';
import type { WeightSetting } from '../protocol.js';

/** Longer profiles have no sliders: each step of one parses the text. */
export const LONGEST_EDITED = 200_000;

/** The weights of the scorers of a profile that is merged with all profiles that it extends. */
export function weightsOf(root: Readonly<Record<string, unknown>>): readonly WeightSetting[] {
  const scorers = root['tier2_scorers'];
  if (!Array.isArray(scorers)) return [];
  return (scorers as readonly unknown[]).flatMap((entry): readonly WeightSetting[] => {
    if (typeof entry !== 'object' || entry === null) return [];
    const { id, label, weight = 1, enabled = true } = entry as Readonly<Record<string, unknown>>;
    if (typeof id !== 'string' || enabled === false) return [];
    const name = typeof label === 'string' ? label : id;
    return typeof weight === 'number'
      ? [{ scorer: id, name, value: weight }]
      : [{ scorer: id, name, value: undefined, expression: String(weight) }];
  });
}

/**
 * Writes a weight into the text of a profile. A scorer of a profile that it extends is amended.
 *
 * @throws Error if the text is not YAML
 */
export function withWeight(profile: string, scorer: string, weight: number): string {
  try {
    return spliceYaml(profile, [{ path: ['tier2_scorers', { id: scorer }, 'weight'], value: weight }]);
  } catch (error) {
    if (error instanceof SpliceError) throw new Error(`the weight was not written: ${error.message}`, { cause: error });
    throw error;
  }
}
