import { readFileSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import { evaluateValue, type ReasoningTrace } from '../../../plugins/knowledgepulse/index.js';

// The tests must not depend on whether the package is installed, or a hub can be reached.
vi.mock('@huggingface/transformers', () => {
  throw new Error('not installed');
});

/** The published example, unchanged except for its import. */
const trace: ReasoningTrace = {
  '@context': 'https://knowledgepulse.dev/schema/v1',
  '@type': 'ReasoningTrace',
  id: 'kp:trace:finance-demo-001',
  metadata: {
    created_at: new Date().toISOString(),
    task_domain: 'finance',
    success: true,
    quality_score: 0,
    visibility: 'network',
    privacy_level: 'aggregated',
  },
  task: { objective: 'Analyze TSMC Q4 earnings report' },
  steps: [
    { step_id: 0, type: 'thought', content: 'Extracting revenue and margin data' },
    { step_id: 1, type: 'tool_call', tool: { name: 'financial_data_api' }, input: { ticker: 'TSM' } },
    { step_id: 2, type: 'observation', content: 'Revenue: $26.3B, up 14.3% YoY' },
    { step_id: 3, type: 'tool_call', tool: { name: 'comparison_tool' }, input: { metric: 'gross_margin' } },
    { step_id: 4, type: 'observation', content: 'Gross margin 57.9%, above industry average' },
  ],
  outcome: { result_summary: 'Strong quarterly performance driven by AI chip demand', confidence: 0.92 },
};

const inDomain = (task_domain: string): ReasoningTrace => ({ ...trace, metadata: { ...trace.metadata, task_domain } });

test('the published example has the value of the formula, with a novelty of 0.5', async () => {
  // C = 3/4 × 0.5 + 5/20 × 0.2 = 0.425, D = min(1, 2/5 × 3) = 1, O = 0.92
  expect(await evaluateValue(trace)).toBeCloseTo(0.425 * 0.2 + 0.5 * 0.25 + 1 * 0.1 + 0.92 * 0.45, 12);
});

test.each(['', 'gardening', 'constructor', '__proto__'])(
  'an unknown domain (%s) has the default weights',
  async (domain) => {
    expect(await evaluateValue(inDomain(domain))).toBeCloseTo(0.425 * 0.25 + 0.5 * 0.35 + 1 * 0.15 + 0.92 * 0.25, 12);
  },
);

test('concurrent calls give the same values as sequential ones', async () => {
  const file = new URL('../../fixtures/knowledgepulse/vectors.jsonl', import.meta.url);
  const cases = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { trace: ReasoningTrace; score: number });
  const scores = await Promise.all(cases.map((one) => evaluateValue(one.trace)));
  for (const [k, score] of scores.entries()) expect(score).toBeCloseTo(cases[k]?.score ?? Number.NaN, 12);
});

test('a value that is not a trace is rejected with a reason, and not scored', async () => {
  const broken = { ...trace, outcome: { result_summary: 'none', confidence: 'high' } } as unknown as ReasoningTrace;
  await expect(evaluateValue(broken)).rejects.toThrow(/outcome.*confidence/);
});

test.each([
  [{}, 'trace.steps: expected a list, found '],
  [null, 'trace.steps: expected a list, found '],
  [{ ...trace, steps: 'none' }, 'trace.steps: expected a list, found '],
  [{ ...trace, metadata: { ...trace.metadata, success: 'yes' } }, 'trace.metadata.success: expected a boolean, found '],
  [{ ...trace, outcome: undefined }, 'trace.outcome.confidence: expected a finite number, found '],
  [
    { ...trace, outcome: { confidence: Number.NaN } },
    'trace.outcome.confidence: expected a finite number, found the number NaN',
  ],
])('a trace without the inputs of the formula is a TypeError (%#)', async (broken, message) => {
  const error: unknown = await evaluateValue(broken as unknown as ReasoningTrace).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(TypeError);
  expect(String(error)).toContain(message);
});
