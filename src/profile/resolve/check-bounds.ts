import { PROFILE_LIMITS } from '../trust.js';
import { isMap } from '../../expression/index.js';
import type { Resolver } from './resolver.js';

/** Checks what a profile asks of a run against the limits of its trust. */
export function checkBounds(resolver: Resolver): void {
  const { root, trust } = resolver;
  const { steps, top } = PROFILE_LIMITS[trust];
  const asked = root['expression_steps'];
  if (typeof asked === 'number' && asked > steps)
    resolver.report('ASZ112', `expected at most ${steps} steps, found ${asked}`, ['expression_steps'], BOUNDS_HINT);
  const { select } = root;
  const written = isMap(select) ? select['top'] : undefined;
  if (typeof written === 'number' && written > top)
    resolver.report('ASZ112', `expected a top of at most ${top}, found ${written}`, ['select', 'top'], BOUNDS_HINT);
  if (typeof written === 'string' && trust === 'none') {
    const hint = 'write the number; a call may give its own top';
    resolver.report('ASZ112', `expected a top of at most ${top}, found an expression`, ['select', 'top'], hint);
  }
}

const BOUNDS_HINT = 'a profile that is not trusted may not ask for more';
