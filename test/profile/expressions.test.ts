import { describe, expect, test } from 'vitest';
import { told } from './broken.js';

const entry = (rest: string): string => `tier2_scorers:\n  - { id: a, ${rest} }\n`;

describe('expressions in a profile', () => {
  test('that what it reads exists, and where', async () => {
    const measures = 'measures: [{ id: tools, expr: "1.0" }]\ntier1_scorers: [{ id: a, expr: measures.tools > 2 }]';
    expect(await told(measures)).not.toContain('candidate.measures');
    expect(await told(entry('expr: score * 2'))).not.toContain('candidate.score');
    expect(await told(entry('expr: cand.b'))).toContain('did you mean candidate?');
  });
});
