import { type Change, createPipeline, type ProfileInput } from 'assize';
import { EMBEDDING_CACHE, EmbeddingCache } from 'assize/sdk';
import { measure, type Subject } from '../measure.js';
import { random } from '../random.js';
import type { Goal } from '../result.js';
import type { Section } from '../section.js';

/** `reweigh` is this many times as fast as ranking again, even if words and vectors are cached. */
const FASTER: Goal = { atLeast: 20 };

const SIZE = 2000;
const WORDS = 60;
const VOCABULARY = 20_000;

interface Page {
  readonly title: string;
  readonly stars: number;
}

const next = random(42);
const word = (): string => `w${Math.floor(next() ** 2 * VOCABULARY).toString(36)}`;
const sentence = (words: number): string => Array.from({ length: words }, word).join(' ');
const pagesOf = (size: number): readonly Page[] =>
  Array.from({ length: size }, () => ({ title: sentence(WORDS), stars: next() }));

const words = { id: 'words', class: 'BM25Scorer', params: { fields: 'title' } };
const meaning = { id: 'meaning', class: 'SemanticSimilarityScorer', params: { text: 'title', embedder: 'lexical' } };
const stars = { id: 'stars', expr: 'candidate.stars' };

/** Another query each time, as a search has. */
const asked = () => ({ query: sentence(3) });

async function pipelineOf(profile: ProfileInput, maxBytes?: number) {
  const cache = maxBytes === undefined ? new EmbeddingCache() : new EmbeddingCache({ maxBytes });
  return createPipeline<Page>(profile, { services: [{ token: EMBEDDING_CACHE, value: cache }] });
}

function checkEqual(work: string, some: Float64Array, others: Float64Array): void {
  if (some.some((score, row) => score !== others[row])) throw new Error(`${work} gives other scores`);
}

export const again: Section = {
  name: 'again',
  title: 'The same candidates again',
  about: `Results that are computed once: the words of ${WORDS}-word texts for BM25, their vectors by the embedder \`lexical\`, and the parts that a
what-if reuses. The rivals keep nothing; for reweigh, the rival has all words and vectors. All scores are equal.`,
  async *run(effort) {
    const pages = pagesOf(effort.of(SIZE));
    const per = pages.length;
    const copies = () => pages.map((page) => ({ ...page }));

    const bm25 = await pipelineOf({ tier2_scorers: [words] });
    const query = asked();
    const totals = async (list: readonly Page[]) => (await bm25.rank(list, query)).matrix.totals;
    checkEqual('BM25', await totals(pages), await totals(copies()));
    const split: readonly Subject[] = [
      { name: 'the same objects', per, pass: () => bm25.rank(pages, asked()) },
      { name: 'copies', per, pass: () => bm25.rank(copies(), asked()) },
    ];
    yield (await measure(split, effort)).result('BM25, another query', 'the same objects', 'candidate', 'copies');

    const [keeping, forgetting] = [
      await pipelineOf({ tier2_scorers: [meaning] }),
      await pipelineOf({ tier2_scorers: [meaning] }, 0),
    ];
    checkEqual(
      'meaning',
      (await keeping.rank(pages, query)).matrix.totals,
      (await forgetting.rank(pages, query)).matrix.totals,
    );
    const embedded: readonly Subject[] = [
      { name: 'vectors kept', per, pass: () => keeping.rank(pages, asked()) },
      { name: 'embedded again', per, pass: () => forgetting.rank(pages, asked()) },
    ];
    yield (await measure(embedded, effort)).result(
      'similarity, another query',
      'vectors kept',
      'candidate',
      'embedded again',
    );

    const profile = { tier2_scorers: [words, { ...meaning, weight: 2 }, stars] };
    const changed = { tier2_scorers: [words, { ...meaning, weight: 2 }, { ...stars, weight: 3 }] };
    const change: Change = { weights: { stars: 3 } };
    const anew = await pipelineOf(changed, 0);
    const ranking = await (await pipelineOf(profile, 0)).rank(pages, query);
    checkEqual(
      'a what-if',
      (await ranking.whatIf(change)).matrix.totals,
      (await anew.rank(copies(), query)).matrix.totals,
    );
    const whatIfs: readonly Subject[] = [
      { name: 'whatIf', per, pass: () => ranking.whatIf(change) },
      { name: 'ranked again', per, pass: () => anew.rank(copies(), query) },
    ];
    yield (await measure(whatIfs, effort)).result('another weight', 'whatIf', 'candidate', 'ranked again');

    const knowing = await pipelineOf(changed);
    const { weights } = change;
    checkEqual('reweigh', ranking.reweigh({ weights }).matrix.totals, (await knowing.rank(pages, query)).matrix.totals);
    const reweighed: readonly Subject[] = [
      { name: 'reweigh', per, pass: () => ranking.reweigh({ weights }) },
      { name: 'ranked again', per, pass: () => knowing.rank(pages, query) },
    ];
    const times = await measure(reweighed, effort);
    yield times.result('another weight, everything kept', 'reweigh', 'candidate');
    yield { ...times.result('another weight, everything kept', 'ranked again', 'candidate', 'reweigh'), goal: FASTER };
  },
};
