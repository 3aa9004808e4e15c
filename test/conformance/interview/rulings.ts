import type { Data } from './vectors.js';

/** The result of Assize by case where the service is wrong; everything else agrees. */
export const RULINGS: Readonly<Record<string, Data>> = {
  // A weight is a weight, and not 0.1 because a table by strategy is missing.
  'eg-11': {
    scorerSum: 0.75,
    phaseMultiplier: 0.8,
    finalScore: 0.6,
    vetoedBy: null,
    tier1Evaluated: [],
    tier2Evaluated: ['X'],
    contributions: { X: 0.75 },
  },
  // Continuing after a veto does not overrule it.
  'eg-13': { scorerSum: null, phaseMultiplier: null, finalScore: 0, vetoedBy: 'B', tier2Evaluated: [] },
  // A number of ends in a row refuses every strategy that one end would.
  'kc-37': { isVeto: true },
  // The rules also know the exempt strategies.
  'kc-38': { isVeto: false },
  // No enabled strategy is left to fall back on.
  'sl-05': { selected: null, fallbackStrategy: null, finalScore: 0, alternatives: [] },
  'sl-09': { selected: null, fallbackStrategy: null, finalScore: 0, alternatives: [] },
};

/** A context has one list of recent nodes: the given one. */
export const DEEPEN_BY_ARGUMENT: readonly Data[] = [
  {
    focusType: 'depth_exploration',
    nodeId: 'n9',
    elementId: null,
    focusDescription: 'Deepen: coffee',
    confidence: 0.8,
  },
];
