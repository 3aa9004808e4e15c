import { join } from 'node:path';
import { packageRoot } from '../../src/base/package-root.js';
import { graphVectors } from './agentcards.js';
import { celTally } from './cel.js';
import { oracle } from './cupel-oracle.js';
import { pipelines } from './cupel-pipelines.js';
import { placing, slicing } from './cupel-selection.js';
import { scoring } from './cupel-vectors.js';
import { answers } from './interview-language-model.js';
import { compareGroup, GROUPS } from './interview.js';
import { readVectors } from './interview/vectors.js';
import { compareRun } from './ir-eval.js';
import { irMeasuresTally } from './ir-measures.js';
import { rulesTally } from './json-rules-engine.js';
import { scoredTraces, vectors, withoutEmbedder, withStoredEmbeddings } from './knowledgepulse.js';
import { mcpScenarios, mcpTally } from './mcp.js';
import { rankFusionTally } from './rank-fusion.js';
import { readFloats } from './read.js';
import { compareSystem, SYSTEMS } from './systems.js';
import { sum, type Tally } from './tally.js';

/** The tests or the results of another project, as far as they are in this package. */
export interface Suite {
  readonly name: string;
  readonly version: string;
  /** The folder in `test/fixtures`, whose SOURCE.md names the origin and the reasons. */
  readonly folder: string;
  /** The number of its cases that are not in the folder, because they do not apply. */
  readonly left?: number;
  /** Undefined if the suite is not installed on this machine. */
  readonly run: () => Promise<Tally | undefined>;
}

const fixture = (file: string): string => join(packageRoot(), 'test/fixtures', file);

/** The tables of the rankers whose names start alike. */
const system = (name: string, version: string, prefix: string): Suite => ({
  name,
  version,
  folder: 'systems',
  run: async () => {
    const tables = SYSTEMS.filter((one) => one.startsWith(prefix));
    return sum(...(await Promise.all(tables.map((one) => compareSystem(one, fixture(`systems/${one}.json`))))));
  },
});

async function cupel(): Promise<Tally> {
  const [scored, sliced, placed, whole, random] = [
    await scoring(fixture('cupel/scoring')),
    await slicing(fixture('cupel/slicing')),
    await placing(fixture('cupel/placing')),
    await pipelines(fixture('cupel/pipeline')),
    await oracle(fixture('cupel/oracle.jsonl')),
  ];
  return sum(scored, sliced, placed, whole, random);
}

async function interview(): Promise<Tally> {
  const read = await readVectors(fixture('interview/vectors.json'));
  const groups = await Promise.all(Object.keys(GROUPS).map((group) => compareGroup(group, read)));
  return sum(...groups, await answers(fixture('interview/language-model.json')));
}

async function knowledgePulse(): Promise<Tally> {
  const [traces, folder] = [fixture('knowledgepulse/traces.jsonl'), 'knowledgepulse/scores'];
  const embeddings = await readFloats(fixture('knowledgepulse/embeddings.minilm.f32'));
  return sum(
    await vectors(fixture('knowledgepulse/vectors.jsonl')),
    await withoutEmbedder(await scoredTraces(traces, fixture(`${folder}.no-embedder.jsonl`))),
    await withStoredEmbeddings(await scoredTraces(traces, fixture(`${folder}.minilm.jsonl`)), embeddings),
  );
}

async function trecEval(): Promise<Tally> {
  const run = { qrels: 'qrels.test', run: 'results.test', printed: 'out.test.aq' };
  const cut = { qrels: 'qrels.test', run: 'results.trunc', printed: 'out.test.aqc', allJudged: true };
  return sum(await compareRun(fixture('trec-eval'), run), await compareRun(fixture('trec-eval'), cut));
}

/** Every suite of others that this package has cases of. */
export const SUITES: readonly Suite[] = [
  {
    name: 'CEL’s conformance tests',
    version: '0.25.1',
    folder: 'cel-spec',
    left: 2344 - 1442,
    run: () => Promise.resolve(celTally()),
  },
  {
    name: 'MCP’s conformance tests for servers',
    version: mcpScenarios().version,
    folder: 'mcp-conformance',
    run: mcpTally,
  },
  { name: 'json-rules-engine', version: '7.3.1', folder: 'json-rules-engine', run: rulesTally },
  { name: 'trec_eval', version: '10.0-rc3', folder: 'trec-eval', run: trecEval },
  { name: 'ir_measures', version: '0.4.3', folder: 'ir-measures', run: irMeasuresTally },
  { name: 'ranx', version: '0.3.21', folder: 'rank-fusion', run: rankFusionTally },
  system('Kubernetes’ scheduler', '1.24', 'k8s-'),
  system('llm-d’s endpoint picker', '520af47', 'llmd-'),
  system('OpenSearch’s hybrid search', '936d3c4', 'opensearch-'),
  system('LangChain’s ensemble retriever', '093544b', 'langchain-'),
  { name: 'Cupel', version: '0b82dad', folder: 'cupel', run: cupel },
  {
    name: 'AgentCards’ scoring reference',
    version: 'networkx 3.6.1',
    folder: 'agentcards',
    run: () => graphVectors(fixture('agentcards/graph.json')),
  },
  { name: 'an interview service', version: 'seed, mid, late', folder: 'interview', run: interview },
  { name: 'KnowledgePulse SDK', version: 'not recorded', folder: 'knowledgepulse', run: knowledgePulse },
];
