/* The whole matrix, filled at once, has the numbers of each candidate's explanation. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { CELL_STATES, type EntryNode, type ExplanationNode, explanationParts, nodesOfKind, type Ranking } from 'assize';
import { type Candidate, candidatesWith } from './arbitraries.js';
import { field, hasWeight, profiles, rankAll } from './weighing.js';

/** The cell of one scorer in one row, as a node of the explanation. */
function termOf({ matrix }: Ranking<Candidate>, entry: string, row: number) {
  const { values, resolved, states } = matrix.column(entry);
  const weights = matrix.weights(entry);
  const weight = typeof weights === 'object' ? weights[row] : weights;
  return { raw: known(values[row]), value: known(resolved[row]), state: CELL_STATES[states[row]!], weight };
}

const known = (value: number | undefined) => (Number.isFinite(value) ? value! + 0 : undefined);

/** The entries inside one, by path, as in the explanation. */
const inside = (path: string, { details }: ExplanationNode): readonly (readonly [string, EntryNode])[] =>
  nodesOfKind(details, 'entry').flatMap((entry) => {
    const own = `${path}/${entry.unit}`;
    return [[own, entry] as const, ...inside(own, entry)];
  });

function checkRow(ranking: Ranking<Candidate>, row: number): number {
  const { matrix } = ranking;
  const explanation = ranking.explain({ index: matrix.index[row]! });
  for (const term of explanationParts(explanation).scorers) {
    const { weight, ...numbers } = termOf(ranking, term.id, row);
    expect(numbers).toEqual({ raw: term.raw, value: term.value, state: term.state });
    if (term.state === 'not_evaluated') expect(weight).toBeUndefined();
    else if (term.weight !== undefined) expect(weight).toBeCloseTo(term.weight, 12);
    else expect(weight ?? 0).toBe(0);
    for (const [path, child] of inside(term.id, term)) {
      const { raw, value, state } = termOf(ranking, path, row);
      expect({ raw, value, state }).toEqual({ raw: child.raw, value: child.value, state: child.state });
    }
  }
  const before = explanationParts(explanation).combine?.value;
  if (before !== undefined) expect(matrix.combined[row]).toBe(before);
  for (const { id, state, details } of explanationParts(explanation).rules) {
    const steps = nodesOfKind(details, 'step');
    expect(matrix.rule(id).fired[row], id).toBe(state === 'fired' ? 1 : 0);
    if (steps.length > 0) expect(matrix.rule(id).totals[row]! + 0).toBe(steps.at(-1)!.value);
  }
  expect(matrix.totals[row]).toBe(explanation.outcome.kind === 'ranked' ? explanation.outcome.score : undefined);
  return explanationParts(explanation).rules.filter(({ state }) => state === 'fired').length;
}

test('the bulk matrix has the numbers that explain each candidate', async () => {
  let fired = 0;
  await fc.assert(
    fc.asyncProperty(profiles, candidatesWith(field), async (profile, candidates) => {
      fc.pre(hasWeight(profile));
      const ranking = await rankAll(profile, candidates);
      for (let row = 0; row < ranking.matrix.index.length; row++) fired += checkRow(ranking, row);
    }),
    { numRuns: 200 },
  );
  expect(fired).toBeGreaterThan(100);
});
