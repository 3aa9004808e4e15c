import { testOutput } from './broken-cases.js';

const two = `tier2_scorers:
  - { id: text, expr: candidate.text }
  - { id: meaning, expr: candidate.meaning }
`;

testOutput('reranks and prunings', {
  'a rerank that asks what there is not': `${two}rerank: { top: 10, ask: [meanning] }\n`,
  'a rerank that asks a measure and a veto': `tier1_scorers: [{ id: archived, expr: candidate.archived }]
measures: [{ id: tools, expr: candidate.tools }]
${two}rerank: { top: 10, ask: [tools, archived] }
`,
  'a rerank that asks everybody': `${two}rerank: { top: 10, ask: [meaning, text] }\n`,
  'a rerank that asks what the formula reads': `${two}combine: { formula: text + meaning }
rerank: { top: 10, ask: [meaning] }
`,
  'a rerank that asks nobody': `${two}rerank: { top: 10, ask: [] }\n`,
  'a rerank of nobody': `${two}rerank: { top: 0, ask: [meaning] }\n`,
  'a rerank with every key wrong': `${two}rerank: { top: 0, ask: [b, 3, c] }\n`,
  'a rerank without its keys': `${two}rerank: {}\n`,
  'a rerank with another key': `${two}rerank: { top: 10, asks: [meaning], ask: [meaning] }\n`,
  'a rerank that asks about fewer than are selected': `${two}rerank: { top: 5, ask: [meaning] }
select: { top: 10 }
`,
  'a pruning that is no yes and no no': `${two}select: { top: 10, prune: maybe }\n`,
  'a pruning of nothing': `${two}select: { top: 10, prune: true }\n`,
  'a pruning without a top': `${two}select: { prune: true }\n`,
  'a pruning under a rule that reads scores': `${two}select: { top: 10, prune: true }
adjustments: [{ id: boost, when: score > 0.5, add: 0.1 }]
`,
});
