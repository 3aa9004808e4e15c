import { asFields, type Fields, idAt, mapAt, textAt } from './field-readers.js';

/** A candidate of an interview: a strategy with a focus. */
export interface InterviewMove {
  readonly strategy: string;
  /** The strategy's `type_category`: depth, breadth, coverage … */
  readonly category: string | undefined;
  readonly node: string | undefined;
  readonly element: string | undefined;
  /** The focus in words; empty where it has none. */
  readonly description: string;
}

/**
 * Reads a candidate: `strategy.id`, `strategy.type_category`, `focus.node_id`, `focus.element_id`,
 * `focus.focus_description`. Only the strategy's id is required.
 */
export function readMove(candidate: unknown): InterviewMove {
  const fields: Fields | undefined = asFields(candidate, 'candidate');
  const strategy = mapAt(fields, 'strategy', 'candidate');
  const focus = mapAt(fields, 'focus', 'candidate');
  const id = idAt(strategy, 'id', 'candidate.strategy');
  if (id === undefined) throw new TypeError('candidate.strategy.id is absent: a move is a strategy with a focus');
  return {
    strategy: id,
    category: textAt(strategy, 'type_category', 'candidate.strategy'),
    node: idAt(focus, 'node_id', 'candidate.focus'),
    element: idAt(focus, 'element_id', 'candidate.focus'),
    description: textAt(focus, 'focus_description', 'candidate.focus') ?? '',
  };
}

/** Whether a move goes deeper: by its category, or as the strategy `deepen`, which every interview has. */
export const isDepth = ({ strategy, category }: InterviewMove): boolean =>
  category === 'depth' || strategy === 'deepen';

/** Whether a move widens: to new ground, or to elements that are not covered. */
export const isWidening = ({ category }: InterviewMove): boolean => category === 'breadth' || category === 'coverage';

/** The phrase of an element in an answer: `creamy_texture` is "creamy texture". */
export const elementPhrase = (element: string): string => element.toLowerCase().replaceAll('_', ' ');
