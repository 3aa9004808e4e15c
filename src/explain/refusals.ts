import type { AskedTerm, Explanation, RefusalTerm } from './explanation.js';

/** The parts of an explanation in which something may have been refused. */
interface Judged extends Partial<Pick<Explanation, 'vetoes' | 'scorers' | 'rules'>> {
  readonly combine?: Explanation['combine'] | undefined;
}

/** Everything that refused a candidate, in the order in which it was asked, in words. */
export function refusalsIn({ vetoes = [], scorers = [], combine, rules = [] }: Judged): RefusalTerm[] {
  const refusals: RefusalTerm[] = [];
  for (const term of [...vetoes, ...scorers])
    if (term.refusal) refusals.push({ kind: term.refusal, by: term.id, reason: said(term) });
  if (combine?.refusal)
    refusals.push({ kind: combine.refusal, by: 'combine', reason: combine.error ?? uncombined(combine) });
  for (const { id, refusal, error = `the factor of ${id} is 0` } of rules)
    if (refusal) refusals.push({ kind: refusal, by: id, reason: error });
  return refusals;
}

const said = ({ unit, error, reason, ...term }: AskedTerm & { readonly state: string }): string =>
  error ?? reason ?? (term.state === 'absent' ? silent(unit) : unit);

/** A class abstains, an expression is absent: that one is never a word alone. */
const silent = (unit: string): string => (/^[\w$]+$/.test(unit) ? `${unit} abstained` : `${unit} is absent`);

function uncombined({ formula, of }: NonNullable<Explanation['combine']>): string {
  if (formula !== undefined) return `the formula ${formula} is absent`;
  return of === 0 ? 'no scorer is in this run' : 'no scorer had anything to go on';
}
