import { nameWithPosition } from '../engine/index.js';
import type { ComparedCandidate } from './comparison/comparison.js';

type Named = Pick<ComparedCandidate, 'id' | 'index' | 'sameId'>;

/** The name of a candidate: its id, with its position where several have the id. */
export const candidateName = ({ id, index, sameId }: Named): string =>
  sameId === undefined ? id : nameWithPosition(id, index);

/** That a candidate shares its id, and how it is named then; nothing where it does not. */
export const sharedIdLines = ({ id, index, sameId }: Named): readonly string[] =>
  sameId === undefined ? [] : [`${sameId} candidates have the id ${id}; a position names one of them, as '#${index}'`];
