import type { ComponentChildren } from 'preact';
import { GLOSSARY, type TermName } from '../glossary/glossary.js';
import { Term } from '../glossary/term.js';

/** The states that the glossary explains. */
const TERMS: Readonly<Record<string, TermName>> = { absent: 'noData', not_evaluated: 'notChecked' };

const WORDS: Readonly<Record<string, string>> = {
  not_fired: 'does not apply',
  fired: 'applies',
  refused: 'removes it',
};

/** Why a criterion or rule gave no number, in plain words. */
export function stateText(state: string): string {
  const term = TERMS[state];
  return term ? GLOSSARY[term].label : (WORDS[state] ?? state.replaceAll('_', ' '));
}

/** The same, with its entry of the glossary. */
export function stateInWords(state: string): ComponentChildren {
  const term = TERMS[state];
  return term ? <Term of={term} /> : stateText(state);
}
