import { createPipeline, type ProfileInput } from 'assize';
import { scorer } from 'assize/sdk';
import type { Case } from '../tally.js';
import { RULINGS } from './rulings.js';
import type { Data, SelectionVector, Vectors } from './vectors.js';

const FOCUS_TYPES: Readonly<Record<string, string>> = {
  closing: 'closing',
  reflection: 'reflection',
  broaden: 'breadth_exploration',
};

/** Returns the score that a candidate has, or throws if the candidate requires it. */
const Given = scorer(({ score, throws }: { score: number; throws?: boolean }) => {
  if (throws === true) throw new Error('boom');
  return score;
});

function profileOf({ strategies, config }: SelectionVector): ProfileInput {
  const { alternatives_count: count = 3, alternatives_min_score: floor = 0.3 } = config;
  return {
    plugins: ['interview'],
    strategies: strategies.map((id) => ({
      id,
      focus: { class: 'OpenFocus', params: { focus_type: FOCUS_TYPES[id] ?? 'open' } },
    })),
    tier1_scorers: [{ id: 'vetoed', expr: 'candidate.vetoed' }],
    tier2_scorers: [{ id: 'given', class: 'Given', on_error: 'refuse' }],
    select: { top: 1 },
    // The service's gate of eight turns is a condition of the fallback.
    fallback: [
      { when: 'vetoed > 0 && "closing" in strategies', use: 'closing' },
      { when: 'vetoed == 0 && context.turn_count >= 8 && "closing" in strategies', use: 'closing' },
      { when: 'vetoed == 0 && "reflection" in strategies', use: 'reflection' },
      { when: 'vetoed == 0 && "broaden" in strategies', use: 'broaden' },
    ],
    report: [{ id: 'alternatives', class: 'Alternatives', params: { count, min_score: floor } }],
  };
}

async function ask(vector: SelectionVector): Promise<Data> {
  const candidates = vector.candidates.map(({ strategyId, focus, score, vetoedBy, throws }, k) => ({
    id: String(k),
    strategy: { id: strategyId },
    focus: { key: focus },
    score,
    vetoed: vetoedBy !== null,
    throws: throws === true,
  }));
  const pipeline = await createPipeline<object>(profileOf(vector), { units: { Given } });
  const ranking = await pipeline.rank(candidates, { turn_count: vector.turnCount });
  const [selected] = ranking.selected;
  const alternatives = (ranking.report['alternatives'] as readonly { id: string }[]).map(({ id }) => Number(id));
  const fallback = selected?.because === 'fallback' ? (selected.candidate as Data) : undefined;
  return {
    selected: selected === undefined || fallback ? null : selected.index,
    fallbackStrategy: fallback ? (fallback['strategy'] as Data)['id'] : null,
    focusType: fallback && (fallback['focus'] as Data)['focus_type'],
    finalScore: selected?.score ?? 0,
    alternatives,
  };
}

/** The best of several candidates, its alternatives, and the fallback. */
export const selection = ({ selectionVectors }: Vectors): Promise<readonly Case[]> =>
  Promise.all(
    selectionVectors.map(async (vector) => ({
      name: vector.id,
      expected: RULINGS[vector.id] ?? vector.expected,
      found: await ask(vector),
    })),
  );
