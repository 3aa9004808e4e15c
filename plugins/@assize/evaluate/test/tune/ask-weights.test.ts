import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { seededRandom } from '../../src/significance/distributions.js';
import { createPipeline, type ProfileInput } from 'assize';
import { Interview, type ScoreTable, bestByWeights } from '../../src/tune/ask/interview.js';
import { askedText } from '../../src/tune/ask/ask-weights.js';
import { askedYaml, type AskOptions, askWeights } from '@assize/evaluate/tune';

interface Movie {
  readonly Title: string;
  readonly critics: number;
  readonly rating: number;
  readonly gross: number;
  readonly cheap: number;
}

/** Films of vega-datasets with all fields that the questions use, each measure from 0 to 1. */
const movies: readonly Movie[] = (
  JSON.parse(
    readFileSync(new URL('../../../../../node_modules/vega-datasets/data/movies.json', import.meta.url), 'utf8'),
  ) as readonly Readonly<Record<string, string | number | null>>[]
)
  .map((row) => ({
    Title: String(row['Title']),
    critics: Number(row['Rotten Tomatoes Rating'] ?? Number.NaN) / 100,
    rating: Number(row['IMDB Rating'] ?? Number.NaN) / 10,
    gross: Math.min(1, Number(row['Worldwide Gross'] ?? Number.NaN) / 5e8),
    cheap: 1 - Math.min(1, Number(row['Production Budget'] ?? Number.NaN) / 2e8),
  }))
  .filter(({ critics, rating, gross, cheap }) => [critics, rating, gross, cheap].every(Number.isFinite))
  .slice(0, 600);

const IDS = ['critics', 'rating', 'gross', 'cheap'] as const;
const profile: ProfileInput = {
  name: 'movies',
  candidate: { id: 'Title' },
  tier2_scorers: IDS.map((id) => ({ id, expr: `candidate.${id}` })),
};
const worth = (hidden: readonly number[], movie: Movie): number =>
  hidden.reduce((sum, weight, k) => sum + weight * movie[IDS[k]!], 0);

/** A person with these weights in mind. */
const person =
  (hidden: readonly number[]): AskOptions<Movie>['ask'] =>
  ({ a, b }) =>
    worth(hidden, a) > worth(hidden, b) ? 'a' : 'b';

/** The value of the found top, between the mean film and the best ten. */
function quality(hidden: readonly number[], top: readonly Movie[]): number {
  const all = movies.map((movie) => worth(hidden, movie));
  const mean = (values: readonly number[]): number => values.reduce((sum, one) => sum + one, 0) / values.length;
  const best = all.toSorted((a, b) => b - a).slice(0, 10);
  return (mean(top.map((movie) => worth(hidden, movie))) - mean(all)) / (mean(best) - mean(all));
}

const PEOPLE = [
  [0.6, 0.1, 0.2, 0.1],
  [0.1, 0.1, 0.7, 0.1],
  [0.05, 0.55, 0.1, 0.3],
  [0.3, 0.3, 0.1, 0.3],
];

describe('a person who answers', () => {
  test('has a top ten within nine tenths of the best after nine answers', async () => {
    for (const [k, hidden] of PEOPLE.entries()) {
      // oxlint-disable-next-line no-await-in-loop -- one person after another
      const asked = await askWeights(profile, movies, {}, { ask: person(hidden), questions: 9, seed: k });
      expect(
        quality(
          hidden,
          asked.top.map(({ candidate }) => candidate),
        ),
      ).toBeGreaterThan(0.9);
      expect(asked.answers.some(({ contradicts }) => contradicts)).toBe(false);
    }
  });

  test('gets no more questions once the top is stable, and fewer if it is more certain', async () => {
    const sure: number[] = [];
    const asked = await askWeights(
      profile,
      movies,
      {},
      {
        questions: 40,
        ask: (question) => {
          sure.push(question.agreement);
          return person(PEOPLE[0]!)(question);
        },
      },
    );
    expect(asked.stable).toBe(true);
    expect(asked.answers.length).toBeLessThan(40);
    expect(asked.agreement).toBeGreaterThanOrEqual(0.9);
    expect(sure.at(-1)).toBeGreaterThan(sure[0]!);
    expect(asked.scorers.reduce((sum, { weight }) => sum + weight, 0)).toBeCloseTo(4, 12);
    expect(askedYaml(asked, { extends: './movies.yaml', version: '0.1.0' })).toContain('weight:');
  });

  test('who contradicts earlier answers gets a list of the contradictions', async () => {
    const asked = await askWeights(
      profile,
      movies,
      {},
      {
        questions: 20,
        ask: (question) => {
          const meant = person(PEOPLE[0]!)(question);
          return question.answered % 5 !== 4 ? meant : meant === 'a' ? 'b' : 'a';
        },
      },
    );
    const against = asked.answers.flatMap(({ contradicts }, k) => (contradicts ? [k % 5] : []));
    expect(against.length).toBeGreaterThan(0);
    expect(against.filter((one) => one === 4).length).toBeGreaterThan(against.length / 2);
    expect(askedText(asked)).toMatch(/answers; .* contradict/);
  });

  test('may stop, and may answer that neither comes first', async () => {
    const stopped = await askWeights(profile, movies, {}, { ask: ({ answered }) => (answered < 2 ? 'same' : 'stop') });
    expect(stopped).toMatchObject({ stable: false, answers: [{ choice: 'same' }, { choice: 'same' }] });
  });

  test('and answers nothing, changes nothing: the weights and their order are those of the profile', async () => {
    const asked = await askWeights(profile, movies, {}, { ask: () => 'stop' });
    expect(asked.scorers).toEqual(IDS.map((id) => ({ id, before: 1, weight: 1, likely: undefined })));
    const { ranked } = await (await createPipeline<Movie>(profile)).rank(movies);
    expect(asked.top.map(({ id }) => id)).toEqual(ranked.slice(0, 10).map(({ id }) => id));
    expect(asked).toMatchObject({ answers: [], change: {}, stable: false });
    expect(askedText(asked)).toMatch(/^no answers/);
  });

  test('gets intervals around the found weights, which narrow with more answers', async () => {
    for (const [k, hidden] of PEOPLE.slice(0, 2).entries()) {
      const widths: number[] = [];
      for (const questions of [1, 20]) {
        // oxlint-disable-next-line no-await-in-loop -- one after another
        const { scorers } = await askWeights(profile, movies, {}, { ask: person(hidden), questions, seed: k });
        for (const { weight, likely } of scorers) expect(weight).toBeGreaterThanOrEqual(likely![0] - 0.005);
        for (const { weight, likely } of scorers) expect(weight).toBeLessThanOrEqual(likely![1] + 0.005);
        widths.push(scorers.reduce((sum, { likely }) => sum + likely![1] - likely![0], 0));
      }
      expect(widths[1]).toBeLessThan(widths[0]!);
    }
  });
});

test('random pairs need more answers', () => {
  const scores = Float64Array.from(movies.flatMap((movie) => IDS.map((id) => movie[id])));
  const centred = IDS.map((id) => {
    const mean = movies.reduce((sum, movie) => sum + movie[id], 0) / movies.length;
    return movies.map((movie) => movie[id] - mean);
  });
  const covariance = Float64Array.from(
    centred.flatMap((x) => centred.map((y) => x.reduce((s, one, k) => s + one * y[k]!, 0) / x.length)),
  );
  const table: ScoreTable = {
    rows: movies.length,
    width: 4,
    scores,
    index: Int32Array.from(movies.keys()),
    covariance,
  };
  const next = seededRandom(9);
  const chance = (): number => Math.floor(next() * movies.length);
  const agreementWith = (pairOf: (interview: Interview) => { a: number; b: number }): number =>
    PEOPLE.reduce((sum, hidden, k) => {
      const interview = new Interview(table, 10, k);
      for (let asked = 0; asked < 9; asked++) {
        const pair = pairOf(interview);
        interview.answer(pair, worth(hidden, movies[pair.a]!) > worth(hidden, movies[pair.b]!) ? 'a' : 'b');
      }
      const ideal = new Set(bestByWeights(table, Float64Array.from(hidden), 10));
      return sum + bestByWeights(table, interview.weights, 10).filter((row) => ideal.has(row)).length / 10;
    }, 0) / PEOPLE.length;
  expect(agreementWith((interview) => interview.question())).toBeGreaterThan(
    agreementWith(() => ({ a: chance(), b: chance() })),
  );
});

test('two candidates need no question', async () => {
  await expect(askWeights(profile, movies.slice(0, 2), {}, { ask: () => 'a' })).rejects.toThrow(/ASZ554/);
});
