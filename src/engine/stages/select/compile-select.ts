import type { Limit, PackEntry, Profile, SelectorEntry } from '../../../profile/index.js';
import type { Binder } from '../../units/binder.js';
import type { Instantiate } from '../../units/run-unit.js';
import { reportUnitProblem } from '../../units/unit-problems.js';
import { compileSelector } from './compile-selector.js';
import type {
  CompiledLimit,
  CompiledPack,
  CompiledSelector,
  SelectPlan,
  SelectorStage,
} from './types.js';

export function compileSelect({ select, fallback }: Profile, binder: Binder, instantiate: Instantiate): SelectPlan {
  const { duplicates, minScore, per, ties, top, diversify, pack, place } = select;
  return {
    select: {
      duplicates: duplicates && binder.bind(duplicates),
      minScore: numberOf(minScore),
      per: per && { by: binder.bind(per.by), top: per.top },
      ties: ties?.map((tie) => tie && binder.bind(tie)),
      top: numberOf(top),
      offset: 0,
    },
    limits: [...compileLimit('top', top, binder), ...compileLimit('min_score', minScore, binder)],
    diversify: diversify && compileEntry(diversify, 'diversify', instantiate),
    pack: pack && compilePack(pack, binder, instantiate),
    place: place && compileEntry(place, 'place', instantiate),
    fallback: fallback.map(({ when, use }) => ({ when: binder.condition(when, use, 'fallback'), use })),
  };
}

const numberOf = (limit: Limit | undefined): number | undefined => (typeof limit === 'number' ? limit : undefined);

const compileLimit = (
  key: CompiledLimit['key'],
  limit: Limit | undefined,
  binder: Binder,
): readonly CompiledLimit[] => {
  if (typeof limit !== 'object') return [];
  const evaluate = binder.bind(limit.expression);
  return [{ key, spec: limit, evaluate: () => evaluate(undefined, 0) }];
};

const compilePack = (entry: PackEntry, binder: Binder, instantiate: Instantiate): CompiledPack => ({
  entry,
  cost: binder.bind(entry.cost),
  readsMeasures: entry.cost.reads.some((read) => read.startsWith('measures')),
  selector: compileEntry(entry, 'pack', instantiate),
});

const compileEntry = (
  { use, path, place }: SelectorEntry,
  stage: SelectorStage,
  instantiate: Instantiate,
): CompiledSelector =>
  reportUnitProblem({ id: stage, path, place }, () => compileSelector(use, { place, stage }, instantiate));
