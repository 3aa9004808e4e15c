import { describe, expect, it } from 'vitest';
import { assize, inFolder } from './run-here.js';

const ITEMS = [
  { id: 'system', content: 'You answer questions.', tokens: 60, kind: 'SystemPrompt', pinned: true },
  { id: 'asked', content: 'Where is my invoice?', tokens: 20, timestamp: '2026-01-01' },
  { id: 'asked_again', content: 'Where is my invoice?', tokens: 20, timestamp: '2026-01-02' },
  { id: 'manual', content: 'Invoices …', tokens: 300, kind: 'Document', timestamp: '2025-05-01' },
  { id: 'ledger', content: 'All of 2025 …', tokens: 480, kind: 'Document', timestamp: '2025-06-01' },
  { id: 'noise', content: 'x', tokens: -1 },
  { id: 'secret', content: 'y', tokens: 5, secret: true },
];

const PROFILE = `plugins: [cupel]
candidate: { pinned: 'candidate.?pinned.orValue(false)' }
tier1_scorers: [{ id: confidential, expr: 'candidate.?secret.orValue(false)' }]
tier2_scorers: [{ id: recency, class: RecencyScorer }]
select:
  duplicates: candidate.content
  pack: { cost: candidate.tokens, class: GreedyPack, budget: { output_reserve: 50 } }
  place: { class: Chronological }
`;

inFolder({
  'context.yaml': PROFILE,
  'plain.yaml': 'tier2_scorers: [{ id: tokens, expr: candidate.tokens }]',
  'items.jsonl': ITEMS.map((item) => JSON.stringify(item)).join('\n'),
});

const pack = ['pack', '--profile', './context.yaml', 'items.jsonl'];

describe('assize pack', () => {
  it('prints the packed candidates in order, and the others with reasons', async () => {
    const { code, out, err } = await assize([...pack, '--budget', '450']);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatchInlineSnapshot(`
      "context: 7 candidates, 3 in, 3 not in, 1 refused
      380 of 450 spent, 60 of it pinned; 50 kept free

      #  id           cost   score
      ────────────────────────────
      4  manual        300   0.000
      1  asked_again    20   1.000
         system         60  pinned

      Not packed
      id      cost  score  instead      why
      ─────────────────────────────────────────────────────────────────────────────────
      asked         0.667  asked_again  duplicate of a better candidate
      ledger   480  0.333               it costs 480, more than all of the 340 there is
      noise         0.000               its cost of -1 is below 0

      Refused
        confidential: 1
          secret: candidate.?secret.orValue(false)
      "
    `);
  });

  it('prints a line for each packed candidate, and for each other one', async () => {
    const { out } = await assize([...pack, '-b', '450', '-f', 'jsonl']);
    expect(out).toMatchInlineSnapshot(`
      "{"in":true,"id":"manual","index":3,"cost":300,"score":0,"scores":{"recency":0},"weights":{"recency":1},"contributions":{"recency":0},"candidate":{"id":"manual","content":"Invoices …","tokens":300,"kind":"Document","timestamp":"2025-05-01"}}
      {"in":true,"id":"asked_again","index":2,"cost":20,"score":1,"scores":{"recency":1},"weights":{"recency":1},"contributions":{"recency":1},"candidate":{"id":"asked_again","content":"Where is my invoice?","tokens":20,"timestamp":"2026-01-02"}}
      {"in":true,"id":"system","index":0,"cost":60,"because":"pinned","candidate":{"id":"system","content":"You answer questions.","tokens":60,"kind":"SystemPrompt","pinned":true}}
      {"in":false,"id":"asked","index":1,"score":0.6666666666666666,"reason":"duplicate","text":"duplicate of a better candidate","replaced_by":["asked_again"],"scores":{"recency":0.6666666666666666},"weights":{"recency":1},"contributions":{"recency":0.6666666666666666},"candidate":{"id":"asked","content":"Where is my invoice?","tokens":20,"timestamp":"2026-01-01"}}
      {"in":false,"id":"ledger","index":4,"cost":480,"score":0.3333333333333333,"reason":"too_large","text":"it costs 480, more than all of the 340 there is","scores":{"recency":0.3333333333333333},"weights":{"recency":1},"contributions":{"recency":0.3333333333333333},"candidate":{"id":"ledger","content":"All of 2025 …","tokens":480,"kind":"Document","timestamp":"2025-06-01"}}
      {"in":false,"id":"noise","index":5,"score":0,"reason":"negative_cost","text":"its cost of -1 is below 0","scores":{"recency":0},"states":{"recency":"absent"},"weights":{"recency":1},"contributions":{"recency":0},"candidate":{"id":"noise","content":"x","tokens":-1}}
      "
    `);
  });

  it('prints the json of a ranking, with the budget', async () => {
    const { out } = await assize([...pack, '-b', '450', '-f', 'json']);
    const json = JSON.parse(out) as Record<string, unknown>;
    expect(Object.keys(json)).toContain('budget');
    expect(json['budget']).toMatchObject({ target: 450, used: 380, output_reserve: 50, safety_margin: 0 });
    expect(json['selected']).toMatchObject([
      { id: 'manual', cost: 300 },
      { id: 'asked_again', cost: 20 },
      { id: 'system' },
    ]);
  });

  it('reports a missing budget or select.pack', async () => {
    expect((await assize(pack)).err).toContain('ASZ513');
    const wrong = await assize([...pack, '--budget', '8k']);
    expect({ code: wrong.code, err: wrong.err.split('\n')[0] }).toMatchInlineSnapshot(`
      {
        "code": 2,
        "err": "error ASZ601 --budget: expected a number of at least 0, found "8k"",
      }
    `);
    const plain = await assize(['pack', '-p', './plain.yaml', '-b', '9', 'items.jsonl']);
    expect(plain).toMatchObject({ code: 2, err: expect.stringContaining('profile plain has no select.pack') });
    expect((await assize([...pack, '-b', '70'])).err).toContain(
      'the pinned candidates cost 60, more than the available 20',
    );
  });

  it('takes the keys of a budget, beside those of the profile', async () => {
    const budgetOf = async (budget: string): Promise<unknown> => {
      const { out } = await assize([...pack, '--budget', budget, '-f', 'json']);
      return (JSON.parse(out) as Record<string, unknown>)['budget'];
    };
    expect(await budgetOf('max=450,output_reserve=100')).toMatchObject({ target: 450, max: 450, output_reserve: 100 });
    expect(await budgetOf('target=300, max=450')).toMatchObject({ target: 300, max: 450, output_reserve: 50 });
    expect(await budgetOf('max=450,reserved_slots.tools=30,reserved_slots.notes=20,safety_margin=10')).toMatchObject({
      reserved_slots: 50,
      safety_margin: 10,
    });
  });

  it.each([
    ['max=8k', '--budget: max: expected a number of at least 0, found "8k"'],
    ['max=-1', '--budget: max: expected a number of at least 0, found "-1"'],
    ['max=', '--budget: max: expected a number of at least 0, found ""'],
    ['reserved_slots.tools=x', '--budget: reserved_slots.tools: expected a number of at least 0, found "x"'],
    ['max=1,max=2', '--budget: max is given twice'],
    ['min=1', 'then = and a number; found "min=1"'],
    ['8000,output_reserve=1', 'then = and a number; found "8000"'],
    ['target=500,max=450', 'the budget has a target of 500, more than its max of 450'],
    ['max=450,safety_margin=101', "the budget's safety_margin is 101; expected a percentage, at most 100"],
    ['max=100,output_reserve=200', 'the output_reserve of 200 is more than the max of 100'],
  ])('refuses the budget %s, and names the key', async (budget, message) => {
    const { code, err } = await assize([...pack, '--budget', budget]);
    expect(code).toBeGreaterThan(0);
    expect(err).toContain(message);
  });

  it('gives the result of assize rank with a budget', async () => {
    const { out } = await assize(['rank', ...pack.slice(1), '--budget', '450', '-f', 'jsonl']);
    expect(
      out
        .split('\n')
        .filter(Boolean)
        .map((line) => (JSON.parse(line) as { id: string }).id),
    ).toEqual(['manual', 'asked_again', 'system']);
  });
});
