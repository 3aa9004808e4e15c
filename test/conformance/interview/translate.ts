import type { Data, MoveData } from './vectors.js';

const snake = (key: string): string => key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The keys of a map, not nested ones, in the spelling of the profile. */
export const snakeKeys = (data: object): Data =>
  Object.fromEntries(Object.entries(data).map(([key, value]) => [snake(key), value as unknown]));

const mapOf = (data: unknown): Data => (typeof data === 'object' && data !== null ? (data as Data) : {});

/** `KnowledgeCeilingScorer` as an id. */
export const entryId = (className: string): string => snake(className).replace(/^_/, '');

/** A candidate of the service as one of ours. */
export const moveFrom = ({ strategy, focus }: MoveData): Data => ({
  strategy: snakeKeys(strategy),
  focus: snakeKeys(focus),
});

function coverageFrom(state: unknown, lists: unknown): Data {
  if (state === undefined) return snakeKeys(mapOf(lists));
  const { elements, ...counts } = mapOf(state);
  const byId = Object.entries(mapOf(elements)).map(([id, one]) => [id, snakeKeys(mapOf(one))]);
  return { ...snakeKeys(counts), elements: Object.fromEntries(byId) as Data };
}

/** A context of the service as one of ours. Its counters are given, so none is counted from the history. */
export function contextFrom(given: Data): Data {
  const properties = mapOf(given['properties']);
  const nodes = (given['recentNodes'] ?? []) as readonly object[];
  return {
    turn_count: given['turnCount'],
    history: given['history'] ?? [],
    recent_nodes: nodes.map(snakeKeys),
    graph: snakeKeys(mapOf(given['graph'])),
    coverage: coverageFrom(given['coverageState'], properties['coverage']),
    strategy_history: properties['strategyHistory'] ?? [],
    chain_depth: properties['chainDepth'],
    terminal_streak: properties['consecutiveTerminalCount'] ?? 0,
    low_info_streak: properties['consecutiveLowInfoTurns'] ?? 0,
    repetition_count: properties['repetitionCount'] ?? 0,
    qualitative_signals: properties['qualitativeSignals'] ?? {},
  };
}
