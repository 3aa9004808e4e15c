import { expect, test } from 'vitest';
import { createPipeline, type ProfileInput } from 'assize';
import {
  defineGenerator,
  defineReport,
  defineScorer,
  defineSignal,
  defineVeto,
  expression,
  type Focus,
  type GeneratorRun,
  type Live,
  type ParamsOf,
  type ReportResult,
  type ReportRun,
  type Run,
  type RunFacts,
  type Score,
  z,
} from 'assize/sdk';

const facts = { summary: 'Asks an expression.', params: z.strictObject({ ask: expression() }) };
type Params = ParamsOf<typeof AskedVeto>;

class AskedVeto {
  static readonly meta = defineVeto(facts);
  compile({ ask }: Params, live: Live): Score<unknown, boolean> {
    const refuses = live.expression(ask);
    return (candidate, index) => refuses(candidate, index) === true;
  }
}

class AskedScorer {
  static readonly meta = defineScorer({ ...facts, scope: 'candidate' });
  prepare({ ask }: Params, run: Run): Score<unknown> {
    const value = run.expression(ask);
    return (candidate, index) => Number(value(candidate, index));
  }
}

class AskedSignal {
  static readonly meta = defineSignal(facts);
  async prepare({ ask }: Params, run: RunFacts): Promise<unknown> {
    await Promise.resolve();
    return run.expression(ask)(undefined, 0);
  }
}

class AskedGenerator {
  static readonly meta = defineGenerator(facts);
  prepare({ ask }: Params, run: GeneratorRun): readonly Focus[] {
    const wanted = run.expression(ask);
    const nodes = run.context['nodes'] as readonly { readonly id: string }[];
    return nodes.filter((node, i) => wanted(node, i) === true).map(({ id }) => ({ key: id }));
  }
}

class AskedReport {
  static readonly meta = defineReport(facts);
  prepare({ ask }: Params, run: ReportRun): ReportResult {
    const value = run.expression(ask);
    return { value: run.ranked.map(({ candidate, index }) => value(candidate, index)) };
  }
}

const units = { AskedVeto, AskedScorer, AskedSignal, AskedGenerator, AskedReport };

const profile: ProfileInput = {
  context: { nodes: { type: 'list' }, factor: { type: 'number' } },
  phases: { early: { n_turns: 2 }, late: {} },
  signals: [
    { id: 'twice', class: 'AskedSignal', params: { ask: 'context.factor * 2' } },
    { id: 'thrice', class: 'AskedSignal', params: { ask: 'signals.twice * 1.5' } },
  ],
  strategies: [{ id: 'ask', focus: { class: 'AskedGenerator', params: { ask: 'candidate.n < signals.thrice' } } }],
  tier1_scorers: [{ id: 'no', class: 'AskedVeto', params: { ask: 'candidate.focus.key == context.refused' } }],
  tier2_scorers: [{ id: 's', class: 'AskedScorer', params: { ask: 'signals.thrice' } }],
  report: [{ id: 'phases', class: 'AskedReport', params: { ask: 'signals.phase + candidate.id' } }],
};

test('an expression among the params sees the run, in every kind of unit', async () => {
  const nodes = [
    { id: 'a', n: 1 },
    { id: 'b', n: 5 },
    { id: 'c', n: 9 },
  ];
  const pipeline = await createPipeline(profile, { units });
  const ask = async (factor: number, turn_count: number) => {
    const ranking = await pipeline.rank(undefined, { nodes, factor, turn_count, refused: 'a' });
    return [ranking.ranked.map(({ id, score }) => [id, score]), ranking.report['phases'], ranking.degraded];
  };
  expect(await ask(2, 0)).toEqual([[['ask/b', 6]], ['earlyask/b'], []]);
  // Concurrently, each with its own run.
  const found = await Promise.all([ask(2, 0), ask(4, 2), ask(1, 0)]);
  expect(found.map(([ranked]) => ranked)).toEqual([
    [['ask/b', 6]],
    [
      ['ask/b', 12],
      ['ask/c', 12],
    ],
    [],
  ]);
  expect(found.map(([, reported]) => reported)).toEqual([['earlyask/b'], ['lateask/b', 'lateask/c'], []]);
});
