import type { Problem } from '../../contract/index.js';
import type { Raw } from '../merge.js';
import type { Profile } from '../profile.js';
import { lookAtConditions } from './conditions.js';
import { lookAtIdleKeys } from './idle-keys.js';
import { Look } from './look.js';
import { lookAtNames } from './names.js';
import { lookAtReach } from './reach.js';
import { lookAtWeights } from './weights.js';

/**
 * What is legal in a profile and surely a mistake. What may be meant is left alone: a warning that is often wrong is
 * worse than none.
 *
 * @param root the data, merged from all its files, of which the valid profile was made
 */
export function profileWarnings(root: Raw, profile: Profile): readonly Problem[] {
  const look = new Look(root, profile);
  lookAtWeights(look);
  lookAtIdleKeys(look);
  lookAtConditions(look);
  lookAtReach(look);
  lookAtNames(look);
  return look.found;
}
