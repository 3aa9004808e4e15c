import type { UnitClass } from '../contract/index.js';
import { type Expression, isExpression } from '../expression/expression.js';
import type { Adjustment, Profile, Use } from './profile.js';

/** Whether a rule says something else where a score is another. */
export function readsScores({ when, set, add, multiply, min, max }: Adjustment): boolean {
  const factors = typeof multiply === 'object' && 'by' in multiply ? multiply.by : [multiply];
  const expressions = [when, set, add, ...factors, min, max].filter((part): part is Expression => isExpression(part));
  return expressions.some(({ reads }) => reads.some((name) => /^scores?\b/.test(name)));
}

/** The classes that a profile uses, those inside others included. */
export function unitsOf(profile: Profile): readonly UnitClass[] {
  const { signals, strategies, vetoes, measures, scorers, select, reports } = profile;
  const entries = [...signals, ...vetoes, ...measures, ...scorers, ...reports, select.pack, select.place];
  const uses = [...entries, ...strategies.map(({ focus }) => focus)].flatMap((entry) => entry?.use ?? []);
  return uses.flatMap(unitsOfUse);
}

const unitsOfUse = (use: Use): readonly UnitClass[] =>
  use.kind === 'expr' ? [] : [use.unit, ...[...use.children.values()].flatMap((child) => unitsOfUse(child.use))];
