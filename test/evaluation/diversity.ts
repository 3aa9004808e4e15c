import { compareProfiles, type Evaluation as Measured } from '@assize/evaluate';
import { createPipeline, type ProfileInput } from 'assize';
import { alphaNdcg, type Topics, topicRecall } from './diversity-measures.js';
import { meanOf } from './against.js';
import { questionsThere } from './context-ranking.js';
import type { Evaluation } from './evaluation.js';
import { readQueries, readTools } from './tools.js';

/** A query, the candidates, and the topics that each is needed for. Scorers never see the topics. */
interface Judged {
  readonly query: string;
  readonly candidates: readonly object[];
  readonly topics: readonly Topics[];
}

type Diversify = NonNullable<NonNullable<ProfileInput['select']>['diversify']>;
type Method = readonly [name: string, diversify: Diversify | undefined];

export const MEASURES = ['nDCG', 'found', 'topics', 'α-nDCG'] as const;
export const BY_SCORE = 'the score alone';

/** A case of diversity: the candidates, the number of places, and the measure of similarity. */
export interface Case {
  readonly name: string;
  readonly top: number;
  readonly profile: ProfileInput;
  readonly methods: readonly Method[];
  read(): Promise<readonly Judged[]>;
}

const mmr = (lambda: number, by: object): Diversify => ({ class: 'MmrSelector', params: { lambda, ...by } });
const byText = { text: ['title', 'text'], embedder: 'lexical' };

/** Tools of LiveMCPBench by the preset's words: a topic is a server, of which a task needs one to five. */
export const TOOLS: Case = {
  name: 'LiveMCPBench, 10 of 527 tools',
  top: 10,
  profile: { extends: ['tool-search'], measures: [{ id: 'meaning', when: 'false' }], select: { min_score: 0.1 } },
  methods: [
    [BY_SCORE, undefined],
    ['MMR by server, λ 0.9', mmr(0.9, { fields: 'server' })],
    ['MMR by server, λ 0.7', mmr(0.7, { fields: 'server' })],
    ['MMR by words, λ 0.7', mmr(0.7, { text: ['name', 'description'], embedder: 'lexical' })],
    ['coverage of servers', { class: 'CoverageSelector', params: { topics: 'server' } }],
  ],
  async read() {
    const [candidates, queries] = await Promise.all([readTools(), readQueries()]);
    return queries.map(({ text, relevant }) => ({
      query: text,
      candidates,
      topics: candidates.map(({ id, server }) => (relevant.has(id) ? [server] : [])),
    }));
  },
};

/** Paragraphs of HotpotQA: each of the two needed ones contains different facts. */
export const PARAGRAPHS: Case = {
  name: 'HotpotQA, 3 of 10 paragraphs',
  top: 3,
  profile: {
    tier2_scorers: [
      {
        id: 'words',
        class: 'ScaledScorer',
        params: { scorer: { class: 'BM25Scorer', params: { fields: ['title', 'text'] } } },
      },
    ],
  },
  methods: [
    [BY_SCORE, undefined],
    ['MMR by words, λ 0.9', mmr(0.9, byText)],
    ['MMR by words, λ 0.7', mmr(0.7, byText)],
    ['MMR by words, λ 0.5', mmr(0.5, byText)],
  ],
  async read() {
    return (await questionsThere()).map(({ query, paragraphs, needed }) => ({
      query,
      candidates: paragraphs,
      topics: paragraphs.map(({ title }) => (needed.has(title) ? [title] : [])),
    }));
  },
};

/** The measures of a case's queries by each method. */
export async function measureDiversity(one: Case): Promise<Measured> {
  const judged = await one.read();
  const profiles = await Promise.all(one.methods.map(async (method) => measureMethod(one, method, judged)));
  return { measures: [...MEASURES], queries: judged.map((_, k) => String(k)), groups: undefined, profiles };
}

async function measureMethod({ profile, top }: Case, [name, diversify]: Method, judged: readonly Judged[]) {
  const select = { ...profile.select, top, ...(diversify && { diversify }) };
  const pipeline = await createPipeline({ ...profile, select });
  const rows = judged.map(({ query, candidates, topics }) => {
    const list = pipeline.rankSync(candidates, { query }).selected.map(({ index }) => topics[index]!);
    const needed = topics.filter(({ length }) => length > 0);
    return [
      alphaNdcg(list, topics, top, 0),
      list.filter(({ length }) => length > 0).length / needed.length,
      topicRecall(list, topics),
      alphaNdcg(list, topics, top),
    ];
  });
  const values = Object.fromEntries(
    MEASURES.map((measure, k) => [measure as string, Float64Array.from(rows, (row) => row[k]!)] as const),
  );
  const means = Object.fromEntries(
    Object.entries(values).map(([measure, of]) => [measure, of.reduce((sum, one) => sum + one, 0) / of.length]),
  );
  return { profile: name, values, means };
}

/**
 * By how many queries a method is better and worse than the score alone by one measure, and the probability by chance,
 * adjusted for all methods (Holm).
 */
function paired(measured: Measured, method: string, measure: string): string {
  const compared = compareProfiles({ ...measured, measures: [measure] }, { baseline: BY_SCORE, samples: 20_000 });
  const { better, worse, adjusted } = compared.find(({ profile }) => profile === method)!;
  return `+${better} −${worse}, p ${adjusted < 0.001 ? '< 0.001' : `= ${adjusted.toPrecision(2)}`}`;
}

/** The lines of a case's table. */
export function* diversityTable({ name, methods }: Case, measured: Measured): Generator<string> {
  yield `| ${name}: by | nDCG | needed found | topics found | α-nDCG | by nDCG | by topics |`;
  yield '|---|---|---|---|---|---|---|';
  for (const [method] of methods) {
    const means = MEASURES.map((measure) => meanOf(measured, method, measure));
    const tests = method === BY_SCORE ? ['–', '–'] : ['nDCG', 'topics'].map((one) => paired(measured, method, one));
    yield `| ${[method, ...means, ...tests].join(' | ')} |`;
  }
}

/** The loss of relevance and the gain in needed topics of choosing for diversity. */
export const diversity: Evaluation = {
  name: 'diversity',
  async *run() {
    for (const one of [TOOLS, PARAGRAPHS]) {
      // oxlint-disable-next-line no-await-in-loop -- one after another, in the order of the report
      yield* diversityTable(one, await measureDiversity(one));
      yield '';
    }
  },
};
