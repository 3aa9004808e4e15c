import type { Problem } from '../../diagnostics/problem.js';
import type { RawMap } from '../merge/merge-profiles.js';
import type { Profile } from '../profile.js';
import { warnAboutConditions } from './constant-conditions.js';
import { warnAboutDuplicatesAndTypos } from './duplicates-and-typos.js';
import { warnAboutIneffectiveKeys } from './ineffective-keys.js';
import { warnAboutUnreachableKeys } from './unreachable-keys.js';
import { WarningContext } from './warning-context.js';
import { warnAboutWeights } from './weights.js';

/**
 * What is legal in a profile and surely a mistake. What may be meant is left alone: a warning that is often wrong is
 * worse than none.
 *
 * @param root the data, merged from all its files, of which the valid profile was made
 */
export function profileWarnings(root: RawMap, profile: Profile): readonly Problem[] {
  const look = new WarningContext(root, profile);
  warnAboutWeights(look);
  warnAboutIneffectiveKeys(look);
  warnAboutConditions(look);
  warnAboutUnreachableKeys(look);
  warnAboutDuplicatesAndTypos(look);
  return look.warnings;
}
