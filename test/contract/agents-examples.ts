import type { UnitExample } from 'assize/testing';

const call = (name: string, input: unknown, more: object = {}): object => ({
  type: 'tool_call',
  tool: { name },
  input,
  ...more,
});
const result = (content: string): object => ({ type: 'observation', content });
const thought = (content: string): object => ({ type: 'thought', content });

const trace = (objective: string, ...steps: readonly object[]): object => ({
  metadata: { framework: 'loop' },
  task: { objective },
  steps: steps.map((step, step_id) => ({ step_id, ...step })),
});

const search = { query: 'height of the tower' };
const tools = [
  { name: 'search', parameters: { required: ['query'], properties: { query: {} }, additionalProperties: false } },
];
const candidates = [
  trace(
    'How high is the tower?',
    call('search', search),
    result('The tower is 330 m high.'),
    thought('It is 330 m high.'),
  ),
  trace(
    'How high is the tower?',
    thought('I search for the height of the tower.'),
    call('search', search),
    result('Error: timeout'),
    thought('I try again to search for the height of the tower.'),
    call('search', search),
    result('Error: timeout'),
  ),
  trace(
    'How high is the tower?',
    call('search', {}, { output: 'None', error: true, tokens: { input: 5 }, cost: 1, latency_ms: 9 }),
  ),
  trace('Say hello.', thought('Hello.')),
  { steps: [] },
  {},
].map((candidate) => ({ ...candidate, tools }));
const odd = [{ steps: 'none' }, { steps: [1] }, { steps: [{ type: 'tool_call' }, { type: 'observation' }, {}] }];

const both: readonly UnitExample[] = [{ candidates }, { candidates: odd, mayFail: true }];

/** Examples of every unit of the plugin `agents`, by class name. */
export const agentsExamples: Readonly<Record<string, readonly UnitExample[]>> = {
  AgreementScorer: [...both, { candidates, params: { calls_weight: 0 } }],
  EffortScorer: [...both, { candidates, params: { measure: 'tokens', least: 2 } }],
  InvalidCallScorer: both,
  NewInformationScorer: both,
  RepeatedCallScorer: both,
  RepeatedTextScorer: both,
  SetbackScorer: both,
  ToolErrorScorer: both,
  WastedCallScorer: both,
};
