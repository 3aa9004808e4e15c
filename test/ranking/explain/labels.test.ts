import { describe, expect, test } from 'vitest';
import { formatProblems } from '../../../src/base/format.js';
import {
  AssizeError,
  comparisonText,
  createPipeline,
  explanationText,
  type ProfileInput,
  explanationParts,
} from 'assize';
import { assize, inFolder } from '../../cli/run-here.js';

const PROFILE = `
tier1_scorers: [{ id: archived, label: Not archived, expr: candidate.archived }]
measures: [{ id: tools, label: Tools used, expr: candidate.stars * 10.0 }]
tier2_scorers:
  - { id: popularity, label: Stars on the forge, expr: candidate.stars, weight: 3 }
  - { id: fresh, expr: candidate.fresh }
weights: { by: candidate.kind, cases: { old: { popularity: 1 } } }
adjustments: [{ id: bonus, label: Editors’ choice, when: candidate.chosen, add: 0.1 }]
report: [{ id: others, label: Alternatives, class: Alternatives, params: { count: 1 } }]
`;

const repos = [
  { id: 'good', archived: false, stars: 0.9, fresh: 0.5, chosen: true },
  { id: 'fair', archived: false, stars: 0.6, fresh: 0.7, chosen: false, kind: 'old' },
  { id: 'old', archived: true, stars: 0.9, fresh: 0.1, chosen: false },
];

inFolder({ 'repos.yaml': PROFILE, 'repos.json': JSON.stringify(repos) });

const pipeline = () => createPipeline<(typeof repos)[number]>({ yaml: PROFILE, name: 'repos' });

describe('the label of an entry', () => {
  test('replaces its id in the tables of the command line', async () => {
    const { out } = await assize(['rank', '--profile', './repos.yaml', 'repos.json']);
    expect(out).toMatchInlineSnapshot(`
      "repos: 3 candidates, 2 selected, 1 refused

      #  id    score  case  Stars on the forge  fresh  rules
      ────────────────────────────────────────────────────────────────
      1  good  0.900                     0.900  0.500  Editors’ choice
      2  fair  0.650  old                0.600  0.700

      Weights
        old: Stars on the forge 0.5, fresh 0.5
        no case: Stars on the forge 0.75, fresh 0.25

      Refused
        Not archived: 1
          old: candidate.archived

      Report
        Alternatives: []
      "
    `);
    expect((await assize(['score', '--profile', './repos.yaml', 'repos.json'])).out).toContain('Not archived: ');
  });

  test('is in the text of explanations and comparisons; their data keeps the ids, and has the labels', async () => {
    const ranking = await (await pipeline()).rank(repos);
    const explanation = ranking.explain('good');
    expect(explanationText(explanation)).toMatchInlineSnapshot(`
      "good: 0.9, 1st of 2, selected (repos)

        scorer              raw  × weight  = adds  why
        Stars on the forge  0.9      0.75   0.675  candidate.stars
                                                   stars = 0.9
        fresh               0.5      0.25   0.125  candidate.fresh
                                                   fresh = 0.5
        weighted mean                       0.8

      Rules
        Editors’ choice  + 0.1  0.9  candidate.chosen
                                     chosen = true

      Vetoes passed: Not archived

      Measures
        Tools used  9  candidate.stars * 10.0
                       stars = 0.9
      "
    `);
    expect(explanationParts(explanation).scorers.map(({ id }) => id)).toEqual(['popularity', 'fresh']);
    expect(explanationParts(explanation).scorers.map(({ label }) => label)).toEqual(['Stars on the forge', undefined]);
    expect(explanationText(ranking.explain('old'))).toMatchInlineSnapshot(`
      "old: refused by Not archived (repos)
        Not archived (veto): candidate.archived

      Vetoes
        Not archived  refused  candidate.archived
                               archived = true

      Not evaluated
        scorers Stars on the forge, fresh (Not archived refused)
        rules Editors’ choice (Not archived refused)
        measures Tools used (Not archived refused)
      "
    `);
    const comparison = await ranking.compare('good', 'fair');
    expect(comparisonText(comparison)).toMatchInlineSnapshot(`
      "good beats fair by 0.25: 0.9 against 0.65 (repos)

        scorer                good  fair        weight  difference  favours
        Stars on the forge     0.9  0.6   0.75 and 0.5      +0.375  good
        fresh                  0.5  0.7   0.25 and 0.5      −0.225  fair
        weighted mean          0.8  0.65                    +0.15
        rule Editors’ choice  +0.1  –                       +0.1    good
        score                  0.9  0.65                    +0.25

      fair would win if
        Stars on the forge weighed 0.2499 for both (now 1, and 3 for the other)
        fresh weighed 10.18 (now 1)
        stars 1.2 (is 0.6)
        fresh 1.3 or more (is 0.7)
      "
    `);
    expect(comparison.terms.map(({ id }) => id).toSorted()).toEqual(['fresh', 'popularity']);
    expect(JSON.parse(JSON.stringify(comparison))).toEqual(comparison);
    const refused = await ranking.compare('good', 'old');
    expect(comparisonText(refused)).toContain('old would not win without Not archived');
  });

  test('is in the result, by id, and in its JSON', async () => {
    const labels = {
      archived: 'Not archived',
      tools: 'Tools used',
      popularity: 'Stars on the forge',
      bonus: 'Editors’ choice',
      others: 'Alternatives',
    };
    const made = await pipeline();
    const streamed = await createPipeline({ yaml: PROFILE.replace(/^report.*$/m, 'select: { top: 2 }') });
    expect(made.labels).toEqual(labels);
    expect((await made.rank(repos)).labels).toEqual(labels);
    const { others: _none, ...rest } = labels;
    const top = await streamed.rankStream(repos);
    expect(top.labels).toEqual(rest);
    expect(top.toJSON()).toMatchObject({ labels: rest });
    const json = await assize(['rank', '--profile', './repos.yaml', 'repos.json', '--format', 'json']);
    expect(JSON.parse(json.out)).toMatchObject({ labels, refused: [{ by: 'archived' }] });
    const plain = await createPipeline({ tier2_scorers: [{ id: 'one', expr: 'candidate.stars' }] });
    expect(plain.labels).toBeUndefined();
    expect(JSON.stringify(await plain.rank(repos))).not.toContain('labels');
  });

  test('is inherited, and can be amended alone', async () => {
    const extended: ProfileInput = {
      extends: ['knowledgepulse'],
      tier2_scorers: [{ id: 'novelty', label: 'Says something new' }],
    };
    expect((await createPipeline(extended)).labels).toEqual({ novelty: 'Says something new' });
  });

  test('must be one line, and unique', async () => {
    const wrong = `tier1_scorers: [{ id: same, label: One, expr: 'false' }]
tier2_scorers:
  - { id: same, label: Two, expr: 1.0 + 0.0 }
  - { id: lines, label: "a\\nb", expr: 1.0 + 0.0 }
  - { id: none, label: "", expr: 1.0 + 0.0 }
  - { id: constructor, label: 7, expr: 1.0 + 0.0 }
  - { id: red, label: "\\e[31mred", expr: 1.0 + 0.0 }
  - { id: turned, label: "\\u202eabc", expr: 1.0 + 0.0 }
  - { id: joined, label: "\\u200b", expr: 1.0 + 0.0 }
`;
    const error: unknown = await createPipeline({ yaml: wrong, name: 'wrong.yaml' }).catch((thrown: unknown) => thrown);
    expect(error instanceof AssizeError && formatProblems(error.problems)).toMatchInlineSnapshot(`
      "wrong.yaml:3:24 error ASZ633 same has the label "One" in another list
        3 |   - { id: same, label: Two, expr: 1.0 + 0.0 }
          |                        ^
        entries with the same id share a label; give one of them another id
      wrong.yaml:4:25 error ASZ202 expected a name on one line, with visible characters only, found the string "a\\nb"
        4 |   - { id: lines, label: "a\\nb", expr: 1.0 + 0.0 }
          |                         ^
      wrong.yaml:5:24 error ASZ202 expected a name, such as "Popularity", found the string ""
        5 |   - { id: none, label: "", expr: 1.0 + 0.0 }
          |                        ^
      wrong.yaml:6:31 error ASZ202 expected a string, found the number 7
        6 |   - { id: constructor, label: 7, expr: 1.0 + 0.0 }
          |                               ^
      wrong.yaml:7:23 error ASZ202 expected a name on one line, with visible characters only, found the string "\\u001b[31mred"
        7 |   - { id: red, label: "\\e[31mred", expr: 1.0 + 0.0 }
          |                       ^
      wrong.yaml:8:26 error ASZ202 expected a name on one line, with visible characters only, found the string "<U+202E>abc"
        8 |   - { id: turned, label: "\\u202eabc", expr: 1.0 + 0.0 }
          |                          ^
      wrong.yaml:9:26 error ASZ202 expected a name on one line, with visible characters only, found the string "<U+200B>"
        9 |   - { id: joined, label: "\\u200b", expr: 1.0 + 0.0 }
          |                          ^
      7 problems"
    `);
  });

  test('is allowed in strategies as data', async () => {
    const { labels } = await createPipeline({
      strategies: [{ id: 'ask', label: { de: 'Fragen' } }],
      tier2_scorers: [{ id: 'one', expr: '1.0 + 0.0' }],
    });
    expect(labels).toBeUndefined();
  });
});
