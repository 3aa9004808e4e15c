import { describe, expect, it } from 'vitest';
import { createPipeline, type ProfileInput } from 'assize';
import { graphOf, ranked } from './rank.js';

/** A preset without a language model: its text scores are given. */
const withText = (preset: string): ProfileInput => ({
  extends: [preset],
  measures: [
    preset === 'tool-search' ? { id: 'meaning', when: 'false' } : { id: 'meaning', expr: 'candidate.semantic' },
  ],
});

const chain = graphOf('git > install', 'install > test', 'test > deploy', 'lonely');
const tools = [
  { id: 'git', name: 'git', description: 'Clones a repository', semantic: 0.9 },
  { id: 'install', name: 'install', description: 'Installs packages', semantic: 0.6 },
  { id: 'test', name: 'test', description: 'Runs the tests of a repository', semantic: 0.5 },
  { id: 'lonely', name: 'lonely', description: 'Does nothing', semantic: 0.1 },
];
const scoresOf = async (...args: Parameters<typeof ranked>) =>
  Object.fromEntries((await ranked(...args)).ranked.map(({ id, score }) => [id, score]));

/** Equal except for the last bit: multiplying and dividing by a weight rounds. */
const close = (scores: Readonly<Record<string, number>>): object =>
  Object.fromEntries(Object.entries(scores).map(([id, score]) => [id, expect.closeTo(score, 12)]));

describe('tool-search', () => {
  it('is not reduced without tools in use, and needs neither a graph nor a model', async () => {
    const alone = await scoresOf(withText('tool-search'), tools, { query: 'repository' });
    const dense = { query: 'repository', graph: chain };
    expect(alone['git']).toBe(1);
    expect(await scoresOf(withText('tool-search'), tools, dense)).toEqual(close(alone));
    expect(await scoresOf(withText('tool-search'), tools, { ...dense, tools: [] })).toEqual(close(alone));
  });

  it('distinguishes tools with the same name by their servers, and works without servers', async () => {
    const search = (candidates: readonly object[]) => ranked(withText('tool-search'), candidates, { query: 'github' });
    const created = { name: 'create_issue', description: 'Creates an issue' };
    const found = await search(['gitlab', 'github'].map((server) => ({ id: server, server, ...created })));
    expect(found.ranked.map(({ id, score }) => [id, score])).toEqual([
      ['github', 1],
      ['gitlab', 0],
    ]);
    expect(found.warnings).toEqual([]);
    const { warnings } = await search([
      { id: 'a', ...created },
      { id: 'b', name: 'github_login', description: 'Signs in' },
    ]);
    expect(warnings).toEqual([]);
    const mistaken = await search([{ name: 'a', descripton: 'Github' }, { name: 'b' }]);
    expect(mistaken.warnings).toContainEqual(
      expect.objectContaining({ message: 'words: no candidate has description', hint: 'did you mean descripton?' }),
    );
  });

  it('increases the weight of the graph as it grows', async () => {
    const { ranked: found } = await ranked(withText('tool-search'), tools, {
      query: 'repository',
      graph: chain,
      tools: ['test'],
    });
    expect(found.map(({ id }) => id).indexOf('install')).toBeLessThan(found.map(({ id }) => id).indexOf('lonely'));
  });

  it('gives the graph its share with words and meaning, one of them, or no text score at all', async () => {
    const at = async (...measures: NonNullable<ProfileInput['measures']>) => {
      const profile = { extends: ['tool-search'], measures };
      const context = { query: 'any', graph: chain, tools: ['git'] };
      const scores = await scoresOf(profile, [{ id: 'lonely', w: 0.2, m: 0.6 }], context);
      return scores['lonely'];
    };
    const alpha = 1 - 2 * (3 / (5 * 4)); // three edges among five nodes
    const [words, meaning] = [
      { id: 'words', expr: 'candidate.w' },
      { id: 'meaning', expr: 'candidate.m' },
    ];
    const without = (id: string) => ({ id, when: 'false' });
    expect(await at(words, meaning)).toBeCloseTo(alpha * 0.4, 12);
    expect(await at(words, without('meaning'))).toBeCloseTo(alpha * 0.2, 12);
    expect(await at(without('words'), meaning)).toBeCloseTo(alpha * 0.6, 12);
    expect(await at(without('words'), without('meaning'))).toBe(0);
  });

  it('is not reduced if the graph contains none of the tools in use', async () => {
    const context = { query: 'repository', graph: chain, tools: ['unheard', 'of'] };
    const alone = await scoresOf(withText('tool-search'), tools, { query: 'repository' });
    expect(await scoresOf(withText('tool-search'), tools, context)).toEqual(close(alone));
  });

  it('needs a context of the right types, and names wrong ones', async () => {
    await expect(ranked('tool-search', tools, { query: ['a'], tools: 'git' })).rejects.toThrow(
      'the context\'s tools is the string "git"; expected list',
    );
  });

  it('is read from a declared context, which an extending profile can add to', async () => {
    const fresh = { id: 'mine', expr: 'candidate.owner == context.user ? 1.0 : 0.0' };
    const own: ProfileInput = { ...withText('tool-search'), tier2_scorers: [fresh] };
    await expect(ranked(own, tools, { user: 'me' })).rejects.toThrow(
      'context.turn_count; declare others in the profile under context',
    );
    const declared = { ...own, context: { user: { type: 'string' as const } } };
    expect((await ranked(declared, [{ id: 'a', owner: 'me' }], { user: 'me' })).ranked).toHaveLength(1);
  });

  it('reports the place of a mistake in a graph', async () => {
    const wrong = { edges: [{ from: 'a', to: 'b', weight: -1 }] };
    await expect(ranked(withText('tool-search'), tools, { query: 'x', graph: wrong })).rejects.toThrow(
      'graph.edges[0].weight is the number -1; expected a number from 0 to 1e+100',
    );
  });
});

describe('tool-choice', () => {
  /** The cosine of each tool is given. */
  const given: ProfileInput = {
    extends: ['tool-choice'],
    measures: [{ id: 'meaning', expr: 'candidate.semantic' }],
  };
  const words: ProfileInput = { extends: ['tool-choice'], measures: [{ id: 'meaning', when: 'false' }] };
  const idsOf = async (...args: Parameters<typeof ranked>) => (await ranked(...args)).selected.map(({ id }) => id);
  const faint = tools.map((tool) => ({ ...tool, semantic: tool.semantic / 4 }));

  it('selects nothing if the best cosine is below the floor, and says why', async () => {
    const query = { query: 'repository' };
    expect(await idsOf(given, tools, query)).toEqual(['git', 'test', 'install', 'lonely']);
    const { selected, refused } = await ranked(given, faint, query);
    expect(selected).toEqual([]);
    expect(refused.map(({ id, by, reason }) => [id, by, reason])).toEqual(
      tools.map(({ id }) => [id, 'no_tool_fits', 'no tool fits the query']),
    );
  });

  it('keeps every tool if the best one passes, and reads the floor from the context', async () => {
    const query = { query: 'repository' };
    expect(await idsOf(given, faint, { ...query, floor: 0.2 })).toHaveLength(4);
    expect(await idsOf(given, tools, { ...query, floor: 0.95 })).toEqual([]);
    expect(await idsOf(given, tools, { ...query, floor: 0.9 })).toHaveLength(4);
    expect(await idsOf(given, faint, { ...query, floor: -1 })).toHaveLength(4);
  });

  it('without a model selects nothing only if no tool has a word of the query', async () => {
    expect(await idsOf(words, tools, { query: 'the repositories' })).toHaveLength(4);
    expect((await ranked(words, tools, { query: 'weather forecast' })).refused).toMatchObject(
      tools.map(({ id }) => ({ id, by: 'no_word_matches', reason: 'no tool has a word of the query' })),
    );
    expect(await idsOf(words, tools, { query: 'weather forecast', words_floor: -1 })).toHaveLength(4);
  });

  it('without a query ranks by the tools in use', async () => {
    expect(
      (
        await idsOf(
          given,
          tools.map(({ id }) => id),
          { graph: chain, tools: ['install'] },
        )
      ).at(-1),
    ).toBe('lonely');
  });

  it('gives a tool the same score whatever the other tools of the query score', async () => {
    const scoreOf = async (...others: readonly number[]) => {
      const candidates = [0.5, ...others].map((semantic, k) => ({ ...tools[0]!, id: `t${k}`, semantic }));
      return (await scoresOf(given, candidates, { query: 'unheard' }))['t0'];
    };
    expect(await scoreOf(0.9, 0.1)).toBe(0.25);
    expect(await scoreOf(0.3, 0.2)).toBe(0.25);
  });

  it('rejects a floor that is not a number', async () => {
    await expect(ranked(given, tools, { query: 'a', floor: 'high' })).rejects.toThrow(
      'the context\'s floor is the string "high"; expected number',
    );
  });
});

describe('next-tool', () => {
  const next = (context: object) =>
    ranked('next-tool', ['git', 'install', 'test', 'deploy'], { graph: chain, ...context });

  it('ranks tools used after the tools in use, and removes executed, dangerous and failing ones', async () => {
    const { ranked: found, refused } = await next({
      tools: ['git'],
      executed: ['git'],
      dangerous: ['deploy'],
      history: { test: { failures: 1 } },
    });
    expect(found.map(({ id }) => id)).toEqual(['install']);
    expect(refused.map(({ id, by }) => [id, by])).toEqual([
      ['git', 'executed'],
      ['test', 'failing'],
      ['deploy', 'dangerous'],
    ]);
  });

  it('reports that it knows nothing instead of scoring all equally', async () => {
    for (const context of [
      { tools: ['git'], graph: undefined },
      { tools: ['git'], graph: { edges: [] } },
    ]) {
      // oxlint-disable-next-line no-await-in-loop -- two small runs
      const { ranked: found, refused } = await next(context);
      expect(found).toEqual([]);
      expect(new Set(refused.map(({ kind }) => kind))).toEqual(new Set(['unscored']));
    }
    const { matrix } = await next({ tools: ['unheard of'] });
    expect([...matrix.column('cooccurrence').states]).not.toContain(0);
    const known = await next({ tools: ['git'] });
    expect([...known.matrix.column('cooccurrence').values]).toEqual([0.3, 0.95, 0.3, 0.3]);
  });

  it('stops at a malformed history instead of refusing every tool', async () => {
    await expect(next({ tools: ['git'], history: { test: { failures: -1 } } })).rejects.toThrow(
      'history.test.failures is the number -1; expected a whole number of at least 0',
    );
  });

  it('changes nothing if no earlier uses are known', async () => {
    const [plain, unknown] = [
      await next({ tools: ['git'] }),
      await next({ tools: ['git'], history: { install: { unknown: 3 } } }),
    ];
    expect(unknown.ranked.map(({ score }) => score)).toEqual(plain.ranked.map(({ score }) => score));
  });
});

describe('next-capability', () => {
  const next = (candidates: readonly object[], used: readonly string[] = ['a', 'b', 'c']) =>
    ranked('next-capability', candidates, { tools: used, graph: graphOf('(cap)', 'cap > a') });

  it('gives the rest its share if no tools are in use', async () => {
    const { ranked: found } = await next([{ id: 'new', tools_used: ['a'], success_rate: 0.8 }], []);
    expect(found.map(({ id, score }) => [id, score])).toEqual([['new', expect.closeTo((0.35 * 0.8) / 0.5, 12)]]);
  });

  it('counts an overlap of 0.30 or more', async () => {
    const own = (shared: number) => Array.from({ length: 10 }, (_, i) => (i < shared ? 'abc'.charAt(i) : `other ${i}`));
    const { matrix } = await next([
      { id: 'two', tools_used: own(2) },
      { id: 'three', tools_used: own(3) },
    ]);
    expect([...matrix.column('overlap').values]).toEqual([0, 0.3]);
  });

  it('rejects an invalid success rate, with a message', async () => {
    const { refused } = await next([
      { id: 'fine', tools_used: ['a'], success_rate: 1 },
      { id: 'odd', tools_used: ['a'], success_rate: 1.5 },
    ]);
    expect(refused.map(({ id, by, reason }) => [id, by, reason])).toEqual([
      ['odd', 'success', 'success_rate: expected a rate from 0 to 1, found the number 1.5'],
    ]);
  });
});

describe('next-step', () => {
  it('ranks tools and capabilities in one list, each by its own signals', async () => {
    const graph = graphOf('(release)', 'git > install', 'release > git', 'release > install');
    const candidates = [
      { id: 'install', kind: 'tool' },
      { id: 'release', kind: 'capability', tools_used: ['git', 'install'], success_rate: 0.8 },
      { id: 'broken', kind: 'capability', tools_used: ['git'], success_rate: 0.4 },
    ];
    const ranking = await ranked('next-step', candidates, { graph, tools: ['git'] });
    const scores = Object.fromEntries(ranking.ranked.map(({ id, score }) => [id, score]));
    const centrality = ranking.matrix.column('centrality').values[1] ?? Number.NaN;
    expect(scores['release']).toBeCloseTo((0.4 * 0.5 + 0.35 * 0.8 + 0.15 * centrality) / 0.9, 9);
    expect(scores['install']).toBeGreaterThan(0.5);
    expect(ranking.refused.map(({ id, by }) => [id, by])).toEqual([['broken', 'unreliable']]);
  });
});

describe('mixed-dag', () => {
  const graph = graphOf(
    '(build)',
    '(check)',
    '(mail)',
    '(chat)',
    'build > git',
    'build > make',
    'check > git',
    'check > make',
    'mail > smtp',
    'mail > imap',
    'chat > smtp',
    'chat > imap',
    'chat > irc',
  );
  const candidates = [
    { id: 'build', tools_used: ['git', 'make'], success_rate: 0.95, semantic: 0.2 },
    { id: 'check', tools_used: ['git', 'make'], success_rate: 0.4, semantic: 0.9 },
    { id: 'mail', tools_used: ['smtp', 'imap'], semantic: 0.4 },
    { id: 'chat', tools_used: ['smtp', 'imap', 'irc'], success_rate: 0.7 },
  ];
  const mixed = async (context: object) =>
    scoresOf(
      {
        extends: ['mixed-dag'],
        measures: [{ id: 'semantic', when: 'signals.mode == "active"', expr: 'candidate.semantic' }],
      },
      candidates,
      { graph, ...context },
    );

  it('searches for a query: an unreliable one is found with a lower score', async () => {
    const found = await mixed({ query: 'any', tools: ['git'] });
    expect(found).toEqual({
      build: expect.closeTo(0.2 * 1.5 * 1.2, 12),
      check: expect.closeTo(0.9 * 1.5 * 0.1, 12),
      mail: expect.closeTo(0.4, 12),
    });
  });

  it('treats a negative similarity as no relevance, regardless of other scores', async () => {
    const away = ['build', 'check'].map((id, i) => ({ id, success_rate: 0.95 - i / 2, semantic: -0.2 }));
    const given: ProfileInput = { extends: ['mixed-dag'], measures: [{ id: 'semantic', expr: 'candidate.semantic' }] };
    expect(await scoresOf(given, away, { query: 'any', graph, tools: ['git'] })).toEqual({ build: 0, check: 0 });
  });

  it('treats an empty query like a missing one', async () => {
    expect(await mixed({ query: '', graph, tools: ['git'] })).toEqual(await mixed({ graph, tools: ['git'] }));
  });

  it('suggests by the tools in use: no overlap stays 0, and an unreliable one is removed', async () => {
    expect(await mixed({ tools: ['git', 'make'] })).toEqual({ build: 0.95, mail: 0, chat: 0 });
  });

  it('explores the hubs of each cluster, without query and tools', async () => {
    expect(Object.keys(await mixed({ tools: [] })).toSorted()).toEqual(['build', 'chat']);
  });
});

/** The interaction of the reference's numbers, and the result of tool-suggest. */
describe('tool-suggest fixes dag-suggest', () => {
  const open = (preset: string, more: object = {}) => {
    const profile = { ...withText(preset), ...more };
    return async (candidates: readonly object[], context: object) =>
      (await createPipeline<object>(profile)).rank(candidates, { query: 'any', ...context });
  };
  /** A hub among n tools that lead to it, with the density that its stage needs. */
  const hubGraph = (size: number, extra: number): object => {
    const ids = Array.from({ length: size }, (_, i) => `n${i}`);
    const edges = ids.slice(1).map((from) => ({ from, to: 'n0' }));
    const more = ids
      .slice(1)
      .flatMap((from, i) =>
        Array.from({ length: extra }, (_, k) => ({ from, to: ids[1 + ((i + k + 1) % (size - 1))] })),
      );
    return { nodes: ids, edges: [...edges, ...more] };
  };
  const stages = [hubGraph(200, 0), hubGraph(200, 10), hubGraph(200, 30)];
  const best = [{ id: 'n0', semantic: 0.72 }];
  const confidences = async (preset: string) => {
    const rank = open(preset);
    const reports = await Promise.all(stages.map(async (graph) => (await rank(best, { graph })).report['confidence']));
    return reports.map((report) => (report as { confidence: number }).confidence);
  };

  it('the confidence in the same tool fell as the graph grew, and does not now', async () => {
    const literal = await confidences('dag-suggest');
    expect(literal).toEqual(literal.toSorted((a, b) => b - a));
    expect((literal[0] ?? 0) - (literal[2] ?? 0)).toBeGreaterThan(0.1);
    const mended = await confidences('tool-suggest');
    expect(mended).toEqual(mended.toSorted((a, b) => a - b));
  });

  it('a fifth of the score was PageRank without effect on the order, and has one now', async () => {
    // Among 600 tools in a ring, forty lead to one: no node of this graph is more important.
    const ids = Array.from({ length: 600 }, (_, i) => `n${i}`);
    const ring = ids.map((from, i) => ({ from, to: ids[(i + 1) % ids.length] }));
    const graph = { edges: [...ring, ...ids.slice(1, 41).map((from) => ({ from, to: 'n0' }))] };
    const rank = async (preset: string) =>
      open(preset)(
        [
          { id: 'n0', semantic: 0.5 },
          { id: 'n300', semantic: 0.52 },
        ],
        { graph },
      );
    const literal = await rank('dag-suggest');
    expect(0.2 * Math.max(...literal.matrix.column('page_rank').values)).toBeLessThan(0.01);
    expect(literal.ranked.map(({ id }) => id)).toEqual(['n300', 'n0']);
    expect((await rank('tool-suggest')).ranked.map(({ id }) => id)).toEqual(['n0', 'n300']);
  });

  it('one failure excluded for good, and does not now', async () => {
    const history = { git: { failures: 1 } };
    const refused = async (preset: string, given: object) =>
      (await ranked(preset, tools, { query: 'repository', history: given })).refused.map(({ id, by }) => `${id} ${by}`);
    expect(await refused('next-tool', history)).toContain('git failing');
    const mended = open('tool-suggest');
    expect((await mended(tools, { history })).refused).toEqual([]);
    expect(
      (await mended(tools, { history: { git: { successes: 1, failures: 5 } } })).refused.map(({ id }) => id),
    ).toEqual(['git']);
  });

  it('the cap of the community confidence is the sum of its parts', async () => {
    const most = { importance: 1, edge_weight: 1, kinship: 10 };
    const measures = Object.entries(most).map(([id, value]) => ({ id, expr: value.toFixed(1) }));
    const confidence = async (max: number) => {
      const profile = {
        extends: ['next-tool'],
        measures: [...measures, { id: 'community_confidence', params: { max } }],
      };
      const { matrix } = await (await createPipeline<object>(profile)).rank([{ id: 'a' }], {});
      return matrix.column('community_confidence').values[0];
    };
    expect(await confidence(100)).toBeCloseTo(0.95, 12);
    expect(await confidence(0.95)).toBeCloseTo(0.95, 12);
  });

  it('the cap of the failure penalty was out of reach, and is not now', async () => {
    const penalty = async (preset: string, base: object) => {
      const rank = await createPipeline<object>({
        extends: [preset],
        ...base,
        adjustments: [{ id: 'success', enabled: false }],
      });
      const context = { tools: ['x'], history: { a: { successes: 50, failures: 50 } } };
      return 0.7 - ((await rank.rank([{ id: 'a' }], context)).ranked[0]?.score ?? Number.NaN);
    };
    const others = ['community', 'adamic_adar', 'page_rank'].map((id) => ({ id, when: 'false' }));
    expect(await penalty('next-tool', { tier2_scorers: [{ id: 'cooccurrence', expr: '0.7' }, ...others] })).toBeCloseTo(
      0.125,
      9,
    );
    expect(
      await penalty('tool-suggest', {
        tier2_scorers: [
          { id: 'hybrid', expr: '0.7' },
          { id: 'page_rank', enabled: false },
        ],
      }),
    ).toBeCloseTo(0.15, 9);
  });
});
