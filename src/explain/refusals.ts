import type { EntryTerm, Explanation, RefusalTerm } from './explanation.js';

/** The parts of an explanation in which something may have been refused. */
interface RefusableTerms extends Partial<Pick<Explanation, 'vetoes' | 'scorers' | 'rules'>> {
  readonly combine?: Explanation['combine'] | undefined;
}

/** Everything that refused a candidate, in the order in which it was asked, in words. */
export function refusalsIn({ vetoes = [], scorers = [], combine, rules = [] }: RefusableTerms): RefusalTerm[] {
  const refusals: RefusalTerm[] = [];
  for (const term of [...vetoes, ...scorers])
    if (term.refusal) refusals.push({ kind: term.refusal, by: term.id, reason: refusalText(term) });
  if (combine?.refusal)
    refusals.push({ kind: combine.refusal, by: 'combine', reason: combine.error ?? unscoredText(combine) });
  for (const { id, refusal, error = `the factor of ${id} is 0` } of rules)
    if (refusal) refusals.push({ kind: refusal, by: id, reason: error });
  return refusals;
}

const refusalText = ({ unit, error, reason, ...term }: EntryTerm & { readonly state: string }): string =>
  error ?? reason ?? (term.state === 'absent' ? abstainText(unit) : unit);

/** A class abstains, an expression is absent: that one is never a word alone. */
const abstainText = (unit: string): string => (/^[\w$]+$/.test(unit) ? `${unit} abstained` : `${unit} is absent`);

function unscoredText({ formula, of }: NonNullable<Explanation['combine']>): string {
  if (formula !== undefined) return `the formula ${formula} is absent`;
  return of === 0 ? 'no scorer is in this run' : 'no scorer had anything to go on';
}
