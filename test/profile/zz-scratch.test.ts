import { test } from 'vitest';
import { createPipeline } from '../../src/index.js';
import { defineScorer, z, child, expression } from '../../src/sdk.js';
import { told, messageOf } from './broken.js';
const P: string[] = [
`tier2_scorers: [{ id: c, class: CompositeScorer, params: {} }, { id: d, class: CompositeScorer, params: { scorers: x } }, { id: e, class: CompositeScorer, params: 5 }, { id: f, class: CompositeScorer, params: { scorers: [{ expr: candidate.a, weight: 0, wieght: 1 }, { class: Nope, expr: candidate.a }, {}, 5] } }]`,
`extends: knowledgepulse
tier2_scorers: [{ id: novelty, weight: 0.5 }, { id: x, expr: candidate.b, before: noveltyy }]`,
`extends: [./p.yaml]`,
`plugins: interview
tier1_scorers: popular`,
`tier2_scorers: [{ id: a, expr: "1.0" }, { id: b, expr: "1.0", before: a }, { id: c, expr: "1.0", before: c }]`,
`tier2_scorers: [{ id: a, expr: "1.0", before: b }, { id: b, expr: "1.0", before: a }]`,
`phases: { Early: { n_turns: 4 }, late: { n_turns: x, when: candidate.a } }
phase_profiles: { Early: { a: 1 }, late: { b: 2 }, lat: {} }
signals: [{ id: phase, class: Nope }]
adjustments: [{ id: phase, add: 1 }, { id: r, when: fresh > 1, add: tools, multiply: [] }]
measures: [{ id: tools, expr: "1.0" }]
tier2_scorers: [{ id: fresh, expr: 'score' }, { id: tools, expr: scores.fresh, when: candidate.x, weight: measures.tools }]
fallback: [{ when: candidate.a, use: x }]
select: { ties: [vetoed] }`,
`tier2_scorers: [{ id: a, class: DecayScorer, params: { curve: { type: exponental } } }, { id: b, class: DecayScorer, params: { curve: {} } }, { id: c, class: DecayScorer, params: { curve: x } }, { id: d, class: DecayScorer, params: { curve: { type: step, windows: [{ max_age: 3x }] } } }]`,
`tier2_scorers: [{ id: a }, { id: b, class: DecayScorer, expr: candidate.a, weight: [] }, { class: Nope }, { id: B, class: Nope }, {id: c, expr: candidate.a, on_error: refse}, {id: d, clas: X}]`,
`strategies: [{ id: s, __proto__: 1, focus: { class: Nope, when: 3 } }]
signals: [{ id: s, class: Nope, retries: x }]
report: [{ id: s, class: Decay }]
adjustments: [{ id: a, multiply: { table: { x: y }, by: ["candidate.a +"] }, when: "1 +" }]
weights: { by: "x +", cases: { a: { b: x, c: 1 } } }
combine: weighted_sm`,
`extends: [knowledgpulse]
tier2_scorers: [{ id: novelty, weight: 1 }]`,
];
class Boom { static readonly meta = defineScorer({ summary: 's', params: z.strictObject({ e: expression({ want: 'number' }).optional(), c: child().optional() }), range: () => { throw new Error('boom'); }, scope: () => { throw new Error('bang'); } }); compile() { return () => 1; } }
class BoomP { static readonly meta = defineScorer({ summary: 's', params: z.strictObject({}).superRefine(() => { throw new Error('boom'); }) }); compile() { return () => 1; } }
test('x', async () => {
  for (const p of P) console.log(p + '\n----\n' + await told(p));
  const units = { Boom, BoomP };
  for (const tier2_scorers of [[{ id: 'a', class: 'Boom' }], [{ id: 'a', class: 'BoomP' }], [{ id: 'a', class: 'CompositeScorer', params: { scorers: [{ class: 'Boom', params: { e: '1 +' } }] } }], [{ id: 'a', class: 'Boom', params: { e: 'measures.x + 1', c: { class: 'Boom' } } }]]) {
    console.log(await createPipeline({ tier2_scorers }, { units }).then(() => 'ok', (e: Error) => e.message));
  }
  console.log(await messageOf({ tier2_scorers: [{ id: 'a', expr: () => 1, weight: () => 1 }, { id: 'b', expr: '1 +' }, null, 5] }));
  console.log(await messageOf({ plugins: ['./nope.js'], extends: './x.yaml' }));
});
