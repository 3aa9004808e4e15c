import type { Data } from './vectors.js';

/** What Assize gives where the service slipped, by case; everything else agrees. */
export const RULINGS: Readonly<Record<string, Data>> = {
  // A weight is a weight, and not 0.1 for want of a table by strategy.
  'eg-11': {
    scorerSum: 0.75,
    phaseMultiplier: 0.8,
    finalScore: 0.6,
    vetoedBy: null,
    tier1Evaluated: [],
    tier2Evaluated: ['X'],
    contributions: { X: 0.75 },
  },
  // To go on asking after a veto is not to overrule it.
  'eg-13': { scorerSum: null, phaseMultiplier: null, finalScore: 0, vetoedBy: 'B', tier2Evaluated: [] },
  // So many ends in a row refuse every strategy that one end would.
  'kc-37': { isVeto: true },
  // The rules know the exempt strategies, too.
  'kc-38': { isVeto: false },
  // Nothing that is enabled is left to fall back on.
  'sl-05': { selected: null, fallbackStrategy: null, finalScore: 0, alternatives: [] },
  'sl-09': { selected: null, fallbackStrategy: null, finalScore: 0, alternatives: [] },
};

/** A context has one list of recent nodes: the one that is given counts. */
export const DEEPEN_BY_ARGUMENT: readonly Data[] = [
  {
    focusType: 'depth_exploration',
    nodeId: 'n9',
    elementId: null,
    focusDescription: 'Deepen: coffee',
    confidence: 0.8,
  },
];
