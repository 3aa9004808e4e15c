import type { NamedPack, Problem, UnitClass, UnitKind } from '../contract/index.js';
import { didYouMean } from '../expression/suggest.js';

/** Packs that are searched together; the first level that has the name wins. */
export type Level = readonly NamedPack[];

/** A class that was found, and in which pack. */
export interface FoundUnit {
  readonly pack: string;
  readonly name: string;
  readonly unit: UnitClass;
}

const article = (kind: UnitKind): string => `a ${kind}`;

/** Every class of a name on the first level that has one, whatever its kind. `pack/ClassName` is exact. */
export function search(name: string, levels: readonly Level[]): FoundUnit[] {
  const slash = name.lastIndexOf('/');
  const packName = slash < 0 ? undefined : name.slice(0, slash);
  const className = name.slice(slash + 1);
  for (const level of levels) {
    const found = level.flatMap((pack) => {
      const unit = packName === undefined || pack.name === packName ? pack.units.get(className) : undefined;
      return unit ? [{ pack: pack.name, name: className, unit }] : [];
    });
    if (found.length > 0) return found;
  }
  return [];
}

function unknown(name: string, kind: UnitKind, levels: readonly Level[]): Omit<Problem, 'place' | 'path'> {
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
export function lookup(
  name: string,
  kind: UnitKind,
  levels: readonly Level[],
): FoundUnit | Omit<Problem, 'place' | 'path'> {
  const found = search(name, levels);
  const [first, second] = found;
  if (!first) return unknown(name, kind, levels);
  if (second) {
    const exact = found.map((unit) => `${unit.pack}/${unit.name}`);
    return { code: 'ASZ302', message: `${name} is in ${exact.length} packs`, hint: `write ${exact.join(' or ')}` };
  }
  if (first.unit.meta.kind !== kind) {
    return {
      code: 'ASZ303',
      message: `${name} is ${article(first.unit.meta.kind)}, and ${article(kind)} is expected here`,
      ...(first.unit.meta.kind === 'veto' && { hint: 'vetoes stand under tier1_scorers' }),
      ...(first.unit.meta.kind === 'scorer' && { hint: 'scorers stand under tier2_scorers and measures' }),
    };
  }
  return first;
}
