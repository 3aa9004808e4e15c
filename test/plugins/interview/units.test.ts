import { describe, expect, test } from 'vitest';
import { type Context, createPipeline, type ProfileInput, type ServiceBinding } from 'assize';
import { embedderToken } from 'assize/sdk';
import { answers, move, scenario } from './scenario.js';

const refusalsOf = async (
  entry: NonNullable<ProfileInput['tier1_scorers']>[number],
  candidates: readonly object[],
  context: Context,
  services: readonly ServiceBinding[] = [],
) => {
  const pipeline = await createPipeline({ plugins: ['interview'], tier1_scorers: [entry] }, { services });
  return (await pipeline.rank(candidates, context)).refused.map(({ index, kind, reason }) => [index, kind, reason]);
};

describe('KnowledgeCeilingScorer', () => {
  const taste = move('cover_element', 'coverage', { element_id: 'taste', focus_description: 'Cover: taste' });
  const broaden = move('broaden', 'breadth', { focus_description: 'Explore new aspects' });
  const entry = (params: object) => ({ id: 'k', class: 'KnowledgeCeilingScorer', params: { ...params } });

  test('requires the topic in the same answer, unless any such answer is configured to count', async () => {
    const context = answers("I don't know");
    expect(await refusalsOf(entry({}), [taste, broaden], context)).toEqual([]);
    expect(await refusalsOf(entry({ require_topic_match: false }), [taste, broaden], context)).toEqual([
      [0, 'veto', 'the respondent said "don\'t know"'],
      [1, 'veto', 'the respondent said "don\'t know"'],
    ]);
    expect(await refusalsOf(entry({}), [taste, broaden], answers("I don't know the taste"))).toEqual([
      [0, 'veto', 'the respondent said "don\'t know" of "taste"'],
    ]);
  });

  test('accepts an element with a number as its id', async () => {
    const numbered = move('cover_element', 'coverage', { element_id: 1024, focus_description: 'Cover: 1024' });
    expect(await refusalsOf(entry({}), [numbered], answers("I don't know 1024"))).toHaveLength(1);
  });

  test('a candidate that is not a move has its own error', async () => {
    expect(await refusalsOf(entry({}), [{ id: 'x' }, broaden], answers('A lot'))).toEqual([
      [0, 'error', 'candidate.strategy.id is absent: a move is a strategy with a focus'],
    ]);
  });
});

describe('ElementExhaustedScorer', () => {
  test('an empty id is not an element, and does not match every text', async () => {
    const named = { ...answers('taste', 'taste'), recent_nodes: [{ label: 'taste' }, { label: 'the taste' }] };
    const entry = { id: 'e', class: 'ElementExhaustedScorer', params: { max_mentions: 2 } };
    const about = (element_id: string) => move('cover_element', 'coverage', { element_id });
    expect(await refusalsOf(entry, [about('taste'), about('')], named)).toEqual([
      [0, 'veto', 'taste was named 2 times and by 2 recent nodes'],
    ]);
  });
});

describe('RecentRedundancyScorer', () => {
  const context: Context = {
    history: [
      { speaker: 'system', text: 'What does oat milk taste like?' },
      { speaker: 'user', text: 'Explore new aspects' },
    ],
  };
  const candidates = [
    move('cover_element', 'coverage', { focus_description: 'Tell me more about the taste' }),
    move('broaden', 'breadth', { focus_description: 'Explore new aspects' }),
  ];
  const entry = (params: object) => ({ id: 'r', class: 'RecentRedundancyScorer', params: { ...params } });

  test('compares with questions, and with answers if configured', async () => {
    expect(await refusalsOf(entry({}), candidates, context)).toEqual([]);
    expect(await refusalsOf(entry({ user_response_threshold: 0.75 }), candidates, context)).toEqual([
      [1, 'veto', '1 like the answer "Explore new aspects", at least 0.75'],
    ]);
  });

  test('by meaning, with an embedder: all questions about taste are one question', async () => {
    const asked: string[] = [];
    const topics: ServiceBinding = {
      token: embedderToken('topics'),
      value: {
        open: () => ({
          name: 'topics',
          dimensions: 2,
          embed: async (texts: readonly string[]) => {
            asked.push(...texts);
            return texts.map((text) => new Float32Array(text.includes('taste') ? [1, 0] : [0.6, 0.8]));
          },
        }),
      },
    };
    expect(await refusalsOf(entry({ embedder: 'topics' }), candidates, context, [topics])).toEqual([
      [0, 'veto', '1 like the question "What does oat milk taste like?", at least 0.85'],
    ]);
    expect(asked).toEqual(['Tell me more about the taste', 'Explore new aspects', 'What does oat milk taste like?']);
  });
});

describe('QuestionRepetitionScorer', () => {
  const more = move('broaden', 'breadth', { focus_description: 'What else is there?' });
  const entry = { id: 'q', class: 'QuestionRepetitionScorer' };
  const asked = (...texts: readonly string[]): Context => ({
    history: texts.map((text) => ({ speaker: 'system', text })),
  });

  test('counts such questions in a row, unless the context gives the count', async () => {
    const context = asked('Why?', 'What else?', 'Anything else?');
    expect(await refusalsOf(entry, [more], context)).toEqual([[0, 'veto', 'it would make 3 such questions in a row']]);
    expect(await refusalsOf(entry, [more], asked('What else?', 'Why?', 'Anything else?'))).toEqual([]);
    expect(await refusalsOf(entry, [more], { ...context, repetition_count: 1 })).toEqual([]);
  });
});

describe('streaks are computed once per turn from the history, unless the context has them', () => {
  const signals: ProfileInput = {
    plugins: ['interview'],
    signals: [
      { id: 'terminal_streak', class: 'TerminalStreak' },
      { id: 'low_info_streak', class: 'LowInfoStreak' },
    ],
    tier2_scorers: [
      { id: 'terminal', expr: 'signals.terminal_streak' },
      { id: 'low_info', expr: 'signals.low_info_streak' },
      { id: 'saturation', class: 'SaturationScorer' },
    ],
    combine: 'weighted_sum',
  };
  const counted = async (context: Context) => {
    const { matrix } = await (await createPipeline(signals)).rank([move('deepen', 'depth')], context);
    return ['terminal', 'low_info', 'saturation'].map((id) => matrix.column(id).values[0]);
  };

  test('answers with nothing more to say, before the current one', async () => {
    expect(await counted(answers('A lot', 'Nothing', '', 'Nothing', 'The taste'))).toEqual([2, 0, 1]);
    expect(await counted({ ...answers('Nothing', 'Nothing'), terminal_streak: 5 })).toEqual([5, 0, 1]);
  });

  test('turns with little new, by the concepts in the answers', async () => {
    const spoke = (...concepts: readonly (readonly string[])[]): Context => ({
      history: concepts.map((some) => ({ speaker: 'user', text: 'so', concepts: some })),
    });
    expect(await counted(spoke(['taste'], ['Taste'], ['TASTE']))).toEqual([0, 2, 0.7]);
    expect(await counted(spoke(['taste'], ['taste'], ['foam']))).toEqual([0, 0, 1]);
    expect(await counted({ ...spoke(['taste'], ['taste'], ['taste']), low_info_streak: 1 })).toEqual([0, 1, 1]);
  });
});

describe('generators', () => {
  const focuses = async (focus: object, context: Context) => {
    const profile = { plugins: ['interview'], strategies: [{ id: 's', focus }] } as ProfileInput;
    const { ranked } = await (await createPipeline<{ focus: object }>(profile)).rank(undefined, context);
    return ranked.map(({ id, candidate }) => [id, candidate.focus]);
  };
  const nodes: Context = {
    recent_nodes: [
      { id: 'a', label: 'price' },
      { id: 'b', label: 'foam' },
      { id: 'c', label: 'taste' },
    ],
    graph: {
      nodes: [{ id: 'a' }, { id: 'b' }, { id: 'c' }, { id: 'd' }],
      edges: [
        { source: 'a', target: 'c' },
        { source: 'b', target: 'c' },
        { source: 'c', target: 'd' },
      ],
    },
  };

  test('the node at the edge, by the edges of the graph', async () => {
    const focus = { class: 'PeripheralNode', params: { text: 'To {label} ({id})' } };
    expect(await focuses(focus, nodes)).toEqual([
      [
        's/b',
        { key: 'b', node_id: 'b', focus_type: 'lateral_bridge', focus_description: 'To foam (b)', confidence: 0.7 },
      ],
    ]);
    expect(await focuses(focus, scenario())).toEqual([]);
  });

  test('several recent nodes as one focus', async () => {
    const focus = { class: 'RecentNodes', params: { max: 2 } };
    expect(await focuses(focus, nodes)).toMatchObject([
      ['s/recent_nodes', { node_ids: ['b', 'c'], focus_description: 'Synthesis of: foam, taste' }],
    ]);
    expect(await focuses(focus, scenario())).toEqual([]);
    const open = { class: 'RecentNodes', params: { otherwise: { text: 'So far' } } };
    expect(await focuses(open, scenario())).toMatchObject([['s/open', { focus_description: 'So far' }]]);
  });

  test('uncovered elements, then those mentioned in passing', async () => {
    const coverage = {
      elements: {
        foam: { covered: true, depth_score: 0.4 },
        taste: { covered: true, depth_score: 0.125 },
        10: { covered: false },
        9: { covered: false },
        price: { covered: true, depth_score: 0.5 },
      },
    };
    expect(await focuses({ class: 'UncoveredElements' }, { coverage })).toMatchObject([
      ['s/9', { focus_type: 'coverage_gap', element_id: '9', focus_description: 'Cover: 9', confidence: 1 }],
      ['s/10', { element_id: '10' }],
      ['s/taste', { focus_type: 'deepen_coverage', focus_description: 'Deepen: taste (depth=0.13)', confidence: 0.9 }],
      ['s/foam', { focus_description: 'Deepen: foam (depth=0.40)' }],
    ]);
  });

  test('a template with an unknown placeholder is rejected when the profile is loaded', async () => {
    const focus = { class: 'MostRecentNode', params: { text: 'Deepen: {name}' } };
    await expect(focuses(focus, {})).rejects.toThrow('expected a text with {label}, {id}, found the string');
  });
});
