/** A term of the page: its label, its technical name, and an explanation. */
export interface GlossaryEntry {
  readonly label: string;
  /** The name in profiles, papers and the command line. */
  readonly technical: string;
  readonly text: string;
}

/** The terms of the page. Each label on the page that needs an explanation has an entry. */
export const GLOSSARY = {
  similarity: {
    label: 'similarity to the saved order',
    technical: 'rank-biased overlap (RBO), p = 0.9',
    text: 'How much of the order is unchanged. 100 % is the same order, 0 % has nothing in common. The first ranks count most.',
  },
  newInTop: {
    label: 'new in the top',
    technical: 'entered the selection',
    text: 'Items that are shown now, and were not shown before your changes.',
  },
  breakdown: {
    label: 'score breakdown',
    technical: 'contributions',
    text: 'How much each criterion adds to the score. Each colour is a criterion. Hatched parts are boosts.',
  },
  removed: {
    label: 'removed by a rule',
    technical: 'refused by a veto of tier1_scorers',
    text: 'The item is not in the list because a rule excludes it. “Removed by a rule” below the list shows these items. The recipe can switch the rule off.',
  },
  noData: {
    label: 'no data',
    technical: 'absent',
    text: 'The item has no value for this criterion, so the criterion gave no number.',
  },
  notChecked: {
    label: 'not checked (already removed)',
    technical: 'not_evaluated',
    text: 'The criterion was not computed, because an earlier rule had already removed the item.',
  },
  average: {
    label: 'average of some criteria',
    technical: 'weighted mean over the scorers that are present',
    text: 'Some criteria have no data for this item. Its score is the average of the others.',
  },
  share: {
    label: 'share',
    technical: 'normalised weight',
    text: 'How much a criterion counts. The shares of all criteria add up to 100 %.',
  },
  boost: {
    label: 'boost',
    technical: 'adjustments',
    text: 'Raises or lowers the score of every item that meets a condition.',
  },
  cut: {
    label: 'cut',
    technical: 'select: top, min_score',
    text: 'Items above the cut are shown. Items below it are ranked, and not shown.',
  },
  budget: {
    label: 'budget',
    technical: 'select: pack',
    text: 'The best items are shown whose costs, such as tokens or money, together stay within an amount.',
  },
  calculation: {
    label: 'calculations',
    technical: 'combine, weights, let, signals, measures',
    text: 'Values that criteria, removals and boosts read, and how the criteria become one score.',
  },
  quality: {
    label: 'quality',
    technical: 'nDCG@10 of the judgements',
    text: 'How well the order agrees with the grades that people gave. 1 is the best possible order.',
  },
} as const satisfies Readonly<Record<string, GlossaryEntry>>;

export type TermName = keyof typeof GLOSSARY;
