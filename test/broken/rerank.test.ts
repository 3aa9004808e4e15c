import { testOutput } from './broken-cases.js';

const two = `tier2_scorers:
  - { id: text, expr: candidate.text }
  - { id: meaning, expr: candidate.meaning }
`;

testOutput('reranks and prunings', {
  'a rerank with an unknown scorer': `${two}rerank: { top: 10, ask: [meanning] }\n`,
  'a rerank that asks a measure and a veto': `tier1_scorers: [{ id: archived, expr: candidate.archived }]
measures: [{ id: tools, expr: candidate.tools }]
${two}rerank: { top: 10, ask: [tools, archived] }
`,
  'a rerank with every scorer': `${two}rerank: { top: 10, ask: [meaning, text] }\n`,
  'a rerank with a scorer of the formula': `${two}combine: { formula: text + meaning }
rerank: { top: 10, ask: [meaning] }
`,
  'a rerank with an empty list of scorers': `${two}rerank: { top: 10, ask: [] }\n`,
  'a rerank of 0 candidates': `${two}rerank: { top: 0, ask: [meaning] }\n`,
  'a rerank with every key wrong': `${two}rerank: { top: 0, ask: [b, 3, c] }\n`,
  'a rerank without its keys': `${two}rerank: {}\n`,
  'a rerank with another key': `${two}rerank: { top: 10, asks: [meaning], ask: [meaning] }\n`,
  'a rerank that asks about fewer than are selected': `${two}rerank: { top: 5, ask: [meaning] }
select: { top: 10 }
`,
  'prune with a string': `${two}select: { top: 10, prune: maybe }\n`,
  'prune without an expensive scorer': `${two}select: { top: 10, prune: true }\n`,
  'a pruning without a top': `${two}select: { prune: true }\n`,
  'a pruning under a rule that reads scores': `${two}select: { top: 10, prune: true }
adjustments: [{ id: boost, when: score > 0.5, add: 0.1 }]
`,
});
