import type { Context } from 'assize';

/** The interview of the document's example: the fourth turn, three times broadened, nothing covered. */
export const scenario = (edge_count = 2): Context => ({
  turn_count: 3,
  history: [
    { speaker: 'system', text: 'What comes to mind about coffee?' },
    { speaker: 'user', text: 'I like coffee' },
    { speaker: 'system', text: 'What else do you notice?' },
    { speaker: 'user', text: 'It helps me focus' },
  ],
  recent_nodes: [{ id: 'node_coffee', label: 'coffee', node_type: 'attribute', confidence: 0.8 }],
  graph: { node_count: 5, edge_count, nodes_by_type: { attribute: 3, functional_consequence: 2 } },
  coverage: { elements_seen: [], elements_total: ['taste', 'texture'] },
  strategy_history: ['broaden', 'broaden', 'broaden'],
});

/** A move from the caller. */
export const move = (
  id: string,
  type_category: string,
  focus: Readonly<Record<string, unknown>> = {},
): { readonly strategy: object; readonly focus: object } => ({ strategy: { id, type_category }, focus });

/** A history of answers, each after a question. */
export const answers = (...texts: readonly string[]): Context => ({
  history: texts.flatMap((text) => [
    { speaker: 'system', text: 'And then?' },
    { speaker: 'user', text },
  ]),
});
