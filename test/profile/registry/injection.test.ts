import { describe, expect, test } from 'vitest';
import { createPipeline as createPipelineInPage } from '../../../src/browser.js';
import { SHIPPED_PLUGINS } from '../../../src/pipeline/container.js';
import { createPipeline } from '../../../src/index.js';
import * as core from '../../../plugins/core/index.js';
import {
  CLOCK,
  CROSS_ENCODERS,
  type Clock,
  defineScorer,
  defineSignal,
  inject,
  injectable,
  type Score,
  type ServiceBinding,
  type ServiceToken,
  serviceToken,
  z,
} from '../../../src/sdk.js';
import { rankBy, scoresOf } from '../../properties/ranked.js';

interface Counter {
  next(): number;
}
const COUNTER: ServiceToken<Counter> = serviceToken<Counter>('test-counter');
const meta = defineScorer({ summary: 'Counts its instances.', params: z.strictObject({}) });

class Counting {
  static readonly inject = [CLOCK];
  #count = 0;
  constructor(private readonly clock: Clock) {}
  next(): number {
    return this.clock.now() + ++this.#count;
  }
}

@injectable()
class Decorated {
  static readonly meta = meta;
  readonly #number: number;
  constructor(@inject(COUNTER) counter: Counter) {
    this.#number = counter.next();
  }
  compile(): Score<unknown> {
    return () => this.#number;
  }
}

class Static {
  static readonly meta = meta;
  static readonly inject = [COUNTER];
  constructor(private readonly counter: Counter) {}
  compile(): Score<unknown> {
    const number = this.counter.next();
    return () => number;
  }
}

class Signalling {
  static readonly meta = defineSignal({ summary: 'The counter.', params: z.strictObject({}) });
  static readonly inject = [COUNTER];
  constructor(private readonly counter: Counter) {}
  prepare(): number {
    return this.counter.next();
  }
}

const services: readonly ServiceBinding[] = [
  { token: CLOCK, value: { now: () => 100 } },
  { token: COUNTER, class: Counting },
];
const units = { Decorated, Static, Signalling };

describe('services', () => {
  test('are injected by decorators or by static inject, created once per pipeline', async () => {
    const tier2_scorers = ['Decorated', 'Static', 'Decorated'].map((name, k) => ({ id: `s${k}`, class: name }));
    const ranking = await rankBy({ tier2_scorers }, [{ id: 'x' }], {}, { units, services });
    expect(ranking.matrix.entries.map((id) => ranking.matrix.column(id).values[0])).toEqual([101, 102, 103]);
    const again = await rankBy({ tier2_scorers }, [{ id: 'x' }], {}, { units, services });
    expect(scoresOf(again)).toEqual(scoresOf(ranking));
  });

  test('are available in units of every kind', async () => {
    const profile = { signals: [{ id: 's', class: 'Signalling' }], tier2_scorers: [{ id: 'x', expr: 'signals.s' }] };
    expect(scoresOf(await rankBy(profile, [{ id: 'c' }], {}, { units, services }))).toEqual({ c: 101 });
  });

  test('are replaced by token: the last one wins', async () => {
    const replaced = [...services, { token: COUNTER, value: { next: () => 7 } }];
    const profile = { tier2_scorers: [{ id: 'x', class: 'Static' }] };
    expect(scoresOf(await rankBy(profile, [{ id: 'c' }], {}, { units, services: replaced }))).toEqual({ c: 7 });
  });

  test('the injected clock sets the time of a run without a time in its context', async () => {
    const params = { field: 'at', curve: { type: 'window', max_age: 50 } };
    const pipeline = await createPipeline({ tier2_scorers: [{ id: 'x', class: 'DecayScorer', params }] }, { services });
    const score = async (context: Record<string, unknown>) =>
      (await pipeline.rank([{ at: 60 }], context)).ranked[0]?.score;
    expect([await score({}), await score({ now: 200 })]).toEqual([1, 0]);
  });

  test('a unit without services needs neither', async () => {
    class Plain {
      static readonly meta = meta;
      compile(): Score<unknown> {
        return () => 3;
      }
    }
    const profile = { tier2_scorers: [{ id: 'x', class: 'Plain' }] };
    expect(scoresOf(await rankBy(profile, [{ id: 'c' }], {}, { units: { Plain } }))).toEqual({ c: 3 });
  });
});

test('an invalid service given in code is a problem', async () => {
  const none = [{ tokn: 1 }] as unknown as ServiceBinding[];
  await expect(createPipeline({}, { services: none })).rejects.toThrow(
    /services\[0\] of createPipeline is not a service/,
  );
});

describe('every service that a shipped class needs', () => {
  test('is bound in a page too, at least with a hint', async () => {
    const plugins = [core, ...(await Promise.all(Object.values(SHIPPED_PLUGINS).map((load) => load())))];
    const classes = plugins.flatMap((plugin) => Object.values(plugin)).filter((unit) => typeof unit === 'function');
    const tokens = new Set(classes.flatMap((unit) => [Reflect.get(unit, 'inject') ?? []].flat() as symbol[]));
    expect(tokens.size).toBeGreaterThan(4);
    for (const token of tokens) {
      class Needs {
        static readonly meta = meta;
        static readonly inject = [token];
        constructor(readonly service: object) {}
        compile(): Score<unknown> {
          return () => 1;
        }
      }
      const profile = { plugins: Object.keys(SHIPPED_PLUGINS), tier2_scorers: [{ id: 'needs', class: 'Needs' }] };
      const pipeline = await createPipelineInPage(profile, { units: { Needs } });
      expect([token.description, pipeline.rankSync([{}]).ranked[0]?.score]).toEqual([token.description, 1]);
    }
  });

  test('such as a cross-encoder: ASZ110, with a hint how to provide one', async () => {
    const profile = {
      plugins: ['rerank'],
      tier2_scorers: [{ id: 'c', class: 'CrossEncoderScorer', params: { model: 'm', text: 'text' } }],
    };
    const opening = createPipelineInPage(profile);
    await expect(opening).rejects.toThrow('there is no cross-encoder in assize/browser');
    await expect(opening).rejects.toThrow('ASZ110');
    const value = { open: () => ({ name: 'm', rerank: async () => [2] }) };
    const pipeline = await createPipelineInPage(profile, { services: [{ token: CROSS_ENCODERS, value }] });
    const { ranked } = await pipeline.rank([{ id: 'a', text: 'x' }], { query: 'q' });
    expect(ranked).toHaveLength(1);
  });
});
