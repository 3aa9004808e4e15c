import type { Problem } from '../../diagnostics/index.js';
import type { Profile } from '../profile.js';
import type { RawMap } from '../source/raw-profile.js';
import { warnAboutIneffectiveKeys } from './ineffective-keys.js';
import { warnAboutConditions, warnAboutDuplicates, warnAboutNothingToRank } from './suspicious-entries.js';
import { warnAboutMisspeltFallbacks, warnAboutUnreachableKeys } from './unreachable-keys.js';
import { WarningContext } from './warning-context.js';
import { warnAboutWeights } from './weights.js';

/**
 * Warns of what is legal in a profile and almost certainly a mistake. What may be intended is left alone: a warning that
 * is often wrong is worse than none.
 *
 * @param root   the data, merged from all files
 * @param filled the same with the profile's `defaults` in its entries: what the profile was resolved from
 */
export function profileWarnings(root: RawMap, filled: RawMap, profile: Profile): readonly Problem[] {
  const context = new WarningContext(root, profile, filled);
  warnAboutNothingToRank(context);
  warnAboutWeights(context);
  warnAboutIneffectiveKeys(context);
  warnAboutConditions(context);
  warnAboutUnreachableKeys(context);
  warnAboutDuplicates(context);
  warnAboutMisspeltFallbacks(context);
  return context.warnings;
}
