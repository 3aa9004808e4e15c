import { compilePath, FieldNames, formatPath, isMap, PathError, type PathStep } from '../../expression/index.js';
import { setWithPlace } from '../source/raw-profile.js';

/**
 * Lays one profile's names of fields over another's: what the one below calls `text`, the one over it may call `body`,
 * and then `content: text` below it is `content: body`.
 */
export function mergeFields(below: unknown, over: unknown): unknown {
  if (!isMap(below) || !isMap(over)) return over;
  const names = new FieldNames(
    Object.entries(over).flatMap(([name, target]): readonly (readonly [readonly PathStep[], readonly PathStep[]])[] => {
      const [from, to] = [stepsOf(name), stepsOf(target)];
      return from && to ? [[from, to]] : [];
    }),
  );
  const merged: Record<string, unknown> = {};
  for (const [name, target] of Object.entries(below)) {
    const steps = stepsOf(target);
    const renamed = steps && names.rename(steps);
    setWithPlace(merged, name, renamed === steps || !renamed ? target : formatPath(renamed), below);
  }
  for (const [name, target] of Object.entries(over)) setWithPlace(merged, name, target, over);
  return merged;
}

/** The steps of a path; undefined for what is none, which is reported where the profile is resolved. */
function stepsOf(text: unknown): readonly PathStep[] | undefined {
  if (typeof text !== 'string') return undefined;
  try {
    return compilePath(text).steps;
  } catch (error) {
    if (error instanceof PathError) return undefined;
    throw error;
  }
}
