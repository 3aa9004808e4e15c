import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Context, createPipeline, type Pipeline } from 'assize';
import { defineScorer, defineVeto, type UnitClass, z } from 'assize/sdk';
import { answers, scenario } from './scenario.js';
import { temporaryFolder } from '../../temporary-folder.js';

async function loaded(yaml: string, units: Readonly<Record<string, UnitClass>> = {}): Promise<Pipeline> {
  const folder = temporaryFolder('interview-');
  await writeFile(join(folder, 'scoring.yaml'), yaml);
  return await createPipeline('./scoring.yaml', { folder, units });
}

/** As printed in the document; `SCORERS` is combined from its tables. */
const STRATEGIES = `strategies:
  - id: deepen
    name: "Deepen Understanding"
    type_category: "depth"
    enabled: true
    prompt_hint: "Explore deeper into why this is important."

  - id: broaden
    name: "Explore Breadth"
    type_category: "breadth"
    enabled: true
    prompt_hint: "Expand to related areas or perspectives."

  - id: bridge
    name: "Lateral Bridge to Peripheral"
    type_category: "peripheral"
    enabled: true
    prompt_hint: "Link to what was just said, then shift to related area."

  - id: synthesis
    name: "Summarise & Invite Extension"
    type_category: "transition"
    enabled: true
    prompt_hint: "Summarise what you've heard and invite correction."
`;
const PHASES = `# config/interview_config.yaml
phases:
  exploratory:
    n_turns: 4   # Turns 0-3
  focused:
    n_turns: 6   # Turns 4-9
  closing:
    n_turns: 1   # Turn 10+
`;
const FACTORS = `# config/scoring.yaml
phase_profiles:
  exploratory:
    broaden: 1.2    # Boost breadth exploration
    deepen: 0.8     # Reduce deep diving
    closing: 0.0    # Disable closing

  focused:
    deepen: 1.3     # Boost deep exploration
    contrast: 1.2   # Introduce counter-examples
    closing: 0.5    # Allow some closing

  closing:
    closing: 1.5    # Strongly boost closing
    synthesis: 1.2  # Summarize findings
    broaden: 0.2    # Suppress breadth
`;
const MINE = `# config/scoring.yaml
tier1_scorers:
  - id: my_scorer
    class: MyScorer
    enabled: true
    params: {...}

tier2_scorers:
  - id: my_scorer
    class: MyScorer
    enabled: true
    weight: 0.10  # Adjust based on importance
    params: {...}
`;
const SIGNALS = `tier1_scorers:
  - id: knowledge_ceiling
    class: KnowledgeCeilingScorer
    enabled: true
    params:
      use_llm_signals: true  # Enable LLM enhancement
      # ... other params
`;
const SCORERS = `tier1_scorers:
  - id: knowledge_ceiling
    class: KnowledgeCeilingScorer
    enabled: true
    params:
      use_llm_signals: true  # Enable LLM enhancement
tier2_scorers:
  - id: coverage_gap
    class: CoverageGapScorer
    enabled: true
    weight: 0.40
    params: {boost_per_gap: 0.15}
  - id: strategy_diversity
    class: StrategyDiversityScorer
    enabled: true
    weight: 0.60
    params: {}
`;
const indented = (yaml: string): string => yaml.replaceAll(/^(?=.)/gm, '  ');

describe("the document's YAML", () => {
  const head = 'plugins: [interview]\ncombine: weighted_sum\n';
  test.each([
    ['at the root', head + STRATEGIES + PHASES + FACTORS + SCORERS],
    ['with the scorers under scoring', `${head + STRATEGIES + PHASES + FACTORS}scoring:\n${indented(SCORERS)}`],
    ['all of it under scoring', `${head}scoring:\n${indented(STRATEGIES + PHASES + FACTORS + SCORERS)}`],
  ])('%s', async (_, yaml) => {
    const pipeline = await loaded(yaml);
    // Its table has factors for strategies that its list does not have.
    const { length } = pipeline.warnings.filter(({ code }) => code === 'ASZ706');
    expect([length, pipeline.warnings.length]).toEqual([4, 4]);
    const ids = async (turn_count: number) =>
      (await pipeline.rank(undefined, { ...scenario(), turn_count })).ranked.map(({ id, score }) => [
        id,
        Number(score.toFixed(6)),
      ]);
    expect(await ids(3)).toEqual([
      ['bridge/bridge', 0.94],
      ['synthesis/synthesis', 0.94],
      ['broaden/broaden', 0.84],
      ['deepen/deepen', 0.752],
    ]);
    expect(await ids(4)).toEqual([
      ['deepen/deepen', 1.222],
      ['bridge/bridge', 0.94],
      ['synthesis/synthesis', 0.94],
      ['broaden/broaden', 0.7],
    ]);
    expect(await ids(99)).toEqual([
      ['synthesis/synthesis', 1.128],
      ['deepen/deepen', 0.94],
      ['bridge/bridge', 0.94],
      ['broaden/broaden', 0.14],
    ]);
  });

  test.each([
    ['at the root', (yaml: string): string => yaml],
    ['under scoring', (yaml: string): string => `scoring:\n${indented(yaml)}`],
  ])('over the preset, each part alone %s', async (_, placed) => {
    for (const yaml of [STRATEGIES, PHASES, FACTORS, SIGNALS]) {
      // oxlint-disable-next-line no-await-in-loop -- one file after another
      const pipeline = await loaded(`extends: [interview]\nplugins: [interview]\n${placed(yaml)}`);
      expect(pipeline.warnings).toEqual([]);
      // oxlint-disable-next-line no-await-in-loop
      const { selected } = await pipeline.rank(undefined, scenario());
      expect(selected.map(({ id }) => id)).toEqual(['cover_element/taste']);
    }
  });

  test.each([
    ['at the root', (yaml: string): string => yaml],
    ['under scoring', (yaml: string): string => `scoring:\n${indented(yaml)}`],
  ])("a user's own scorer %s: a class is a veto or a scorer", async (_, placed) => {
    const params = z.looseObject({});
    class MyVeto {
      static readonly meta = defineVeto({ summary: 'Mine.', params });
      compile() {
        return () => false;
      }
    }
    class MyScorer {
      static readonly meta = defineScorer({ summary: 'Mine.', params });
      compile() {
        return () => 1;
      }
    }
    const [tier1 = '', tier2 = ''] = MINE.split(/(?=tier2_scorers)/);
    const candidates = [{ id: 'a' }];
    const vetoing = await loaded(placed(tier1), { MyScorer: MyVeto });
    expect((await vetoing.rank(candidates)).refused).toEqual([]);
    const scoring = await loaded(`combine: weighted_sum\n${placed(tier2)}`, { MyScorer });
    expect((await scoring.rank(candidates)).ranked[0]?.score).toBe(0.1);
    await expect(loaded(placed(MINE), { MyScorer })).rejects.toThrow('MyScorer is a scorer; expected a veto');
  });

  test('accepts a param that was never read, with a warning and its place', async () => {
    const { warnings } = await loaded(`plugins: [interview]
tier1_scorers:
  - id: redundancy
    class: RecentRedundancyScorer
    params: { method: tfidf_cosine }
`);
    expect(warnings).toMatchObject([
      { message: 'RecentRedundancyScorer ignores its param method', place: { line: 5, column: 15 } },
    ]);
  });
});

describe('a veto for some strategies only, in YAML', () => {
  const yaml = `plugins: [interview]
signals:
  - { id: exhaustion, class: TerminalStreak, params: { include_current: true } }
strategies: [{ id: broaden }, { id: synthesis }, { id: reflection }]
tier1_scorers:
  - id: hypothetical_exhaustion
    expr: signals.exhaustion >= 2 && !(candidate.strategy.id in ["reflection", "synthesis", "ease"])
`;
  const kept = async (context: Context) =>
    (await (await loaded(yaml)).rank(undefined, context)).ranked.map(({ id }) => id.replace(/.*\//, ''));

  test('(broaden, open) is vetoed, (synthesis, open) passes', async () => {
    expect(await kept(answers('Nothing', 'No, nothing else'))).toEqual(['synthesis', 'reflection']);
    expect(await kept(answers('Nothing', 'The smell is nice'))).toEqual(['broaden', 'synthesis', 'reflection']);
    expect(await kept({})).toEqual(['broaden', 'synthesis', 'reflection']);
  });

  test('with the streak of the caller', async () => {
    expect(await kept({ ...answers('Nothing'), terminal_streak: 1 })).toEqual(['synthesis', 'reflection']);
    expect(await kept({ ...answers('A lot'), terminal_streak: 7 })).toEqual(['broaden', 'synthesis', 'reflection']);
  });
});

test('any list generates candidates', async () => {
  const pipeline = await loaded(`
strategies:
  - id: ask
    focus:
      class: EachItem
      when: context.topics.size() > 1
      params: { items: context.topics, where: candidate.open, key: name }
tier2_scorers: [{ id: interest, expr: candidate.focus.interest }]
`);
  const topics = [
    { name: 'price', open: true, interest: 1 },
    { name: 'taste', open: true, interest: 3 },
    { name: 'smell', interest: 9 },
  ];
  expect((await pipeline.rank(undefined, { topics })).ranked.map(({ id }) => id)).toEqual(['ask/taste', 'ask/price']);
  expect((await pipeline.rank(undefined, { topics: topics.slice(0, 1) })).ranked).toEqual([]);
});
