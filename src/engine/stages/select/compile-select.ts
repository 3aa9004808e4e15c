import type { PackEntry, Profile, SelectorEntry } from '../../../profile/index.js';
import type { Binder } from '../../compile/binder.js';
import type { Instantiate } from '../../compile/run-unit.js';
import { reportUnitProblem } from '../../compile/unit-problems.js';
import { compileSelector } from './compile-selector.js';
import type { CompiledFallback, CompiledPack, CompiledSelector, SelectKeys } from './types.js';

/** What selects: order and cut, pack and place, and the fallback. */
export interface SelectPlan {
  readonly select: SelectKeys;
  readonly pack: CompiledPack | undefined;
  readonly place: CompiledSelector | undefined;
  readonly fallback: readonly CompiledFallback[];
}

export function compileSelect({ select, fallback }: Profile, binder: Binder, instantiate: Instantiate): SelectPlan {
  const { duplicates, minScore, per, ties, top, pack, place } = select;
  return {
    select: {
      duplicates: duplicates && binder.bind(duplicates),
      minScore,
      per: per && { by: binder.bind(per.by), top: per.top },
      ties: ties?.map((tie) => tie && binder.bind(tie)),
      top,
    },
    pack: pack && compilePack(pack, binder, instantiate),
    place: place && compileEntry(place, 'place', instantiate),
    fallback: fallback.map(({ when, use }) => ({ when: binder.condition(when, use, 'fallback'), use })),
  };
}

const compilePack = (entry: PackEntry, binder: Binder, instantiate: Instantiate): CompiledPack => ({
  entry,
  cost: binder.bind(entry.cost),
  readsMeasures: entry.cost.reads.some((read) => read.startsWith('measures')),
  selector: compileEntry(entry, 'pack', instantiate),
});

const compileEntry = (
  { use, path, place }: SelectorEntry,
  stage: 'pack' | 'place',
  instantiate: Instantiate,
): CompiledSelector =>
  reportUnitProblem({ id: stage, path, place }, () => compileSelector(use, { place, stage }, instantiate));
