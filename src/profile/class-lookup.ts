import type { LoadedPlugin, UnitClass, UnitKind } from '../contract/index.js';
import { didYouMean } from '../diagnostics/did-you-mean.js';
import type { Problem } from '../diagnostics/problem.js';

/** Packs that are searched together; the first level that has the name wins. */
export type LookupLevel = readonly LoadedPlugin[];

/** A class that was found, and in which pack. */
export interface FoundClass {
  readonly plugin: string;
  readonly name: string;
  readonly unit: UnitClass;
}

const withArticle = (kind: UnitKind): string => `a ${kind}`;

/** Every class of a name on the first level that has one, whatever its kind. `pack/ClassName` is exact. */
export function findClasses(name: string, levels: readonly LookupLevel[]): FoundClass[] {
  const slash = name.lastIndexOf('/');
  const packName = slash < 0 ? undefined : name.slice(0, slash);
  const className = name.slice(slash + 1);
  for (const level of levels) {
    const found = level.flatMap((pack) => {
      const unit = packName === undefined || pack.name === packName ? pack.units.get(className) : undefined;
      return unit ? [{ plugin: pack.name, name: className, unit }] : [];
    });
    if (found.length > 0) return found;
  }
  return [];
}

function unknownClassProblem(
  name: string,
  kind: UnitKind,
  levels: readonly LookupLevel[],
): Omit<Problem, 'place' | 'path'> {
  const packs = levels.flat();
  const names = packs.flatMap((pack) => [...pack.units].filter(([, u]) => u.meta.kind === kind).map(([key]) => key));
  return {
    code: 'ASZ301',
    message: `unknown ${kind} class ${name}`,
    hint: didYouMean(
      name,
      names,
      `searched: ${packs.map((pack) => pack.name).join(', ')}; name the pack that has it under plugins`,
    ),
  };
}

/**
 * Finds a class by name, level by level: the plugins of the file that wrote it, then `core`.
 * `pack/ClassName` is exact. Twice on one level, another kind or nowhere is a problem.
 */
export function lookUpClass(
  name: string,
  kind: UnitKind,
  levels: readonly LookupLevel[],
): FoundClass | Omit<Problem, 'place' | 'path'> {
  const found = findClasses(name, levels);
  const [first, second] = found;
  if (!first) return unknownClassProblem(name, kind, levels);
  if (second) {
    const exact = found.map((unit) => `${unit.plugin}/${unit.name}`);
    return { code: 'ASZ302', message: `${name} is in ${exact.length} packs`, hint: `write ${exact.join(' or ')}` };
  }
  if (first.unit.meta.kind !== kind) {
    return {
      code: 'ASZ303',
      message: `${name} is ${withArticle(first.unit.meta.kind)}, and ${withArticle(kind)} is expected here`,
      ...(first.unit.meta.kind === 'veto' && { hint: 'vetoes stand under tier1_scorers' }),
      ...(first.unit.meta.kind === 'scorer' && { hint: 'scorers stand under tier2_scorers and measures' }),
    };
  }
  return first;
}
