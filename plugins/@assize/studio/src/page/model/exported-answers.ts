import type { DraftAnswer } from '../../data/studio-data.js';
import type { AskAbout } from '../queries/several-queries.js';
import type { AskServer } from './ranker.js';

/** Answers from an exported page: about the edits that it was exported with, and no others. */
export function exportedAnswers(answers: readonly DraftAnswer[]): AskAbout | undefined {
  if (answers.length === 0) return undefined;
  const known = new Map(answers.map(({ edits, query, data }) => [keyOf(edits, query), data]));
  return (query) => {
    const ask: AskServer = async (edits) => {
      const data = known.get(keyOf(edits, query));
      if (!data) throw new Error('this page has no server, so params, removals and entries cannot be changed');
      return data;
    };
    return Object.assign(ask, { isLimited: true });
  };
}

const keyOf = (edits: DraftAnswer['edits'], query: number): string => JSON.stringify([query, edits]);
