import { Container } from 'inversify';
import { Container as Container7 } from 'inversify-7';
import { describe, expect, test } from 'vitest';
import { createPipeline as createPipelineInPage } from 'assize/browser';
import { SHIPPED_PLUGINS } from '../../../src/pipeline/container.js';
import { createPipeline, type PipelineOptions } from 'assize';
import * as core from '../../../plugins/core/index.js';
import {
  CLOCK,
  CROSS_ENCODERS,
  embedderToken,
  type Clock,
  defineScorer,
  defineSignal,
  inject,
  injectable,
  named,
  optional,
  type Score,
  type ServiceBinding,
  type ServiceToken,
  serviceToken,
  type UnitClass,
  z,
} from 'assize/sdk';
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

/** The score of a unit that is the only entry of a profile. */
async function scoreOf(unit: UnitClass, options: PipelineOptions = { services }): Promise<number | undefined> {
  const pipeline = await createPipeline(
    { tier2_scorers: [{ id: 's', class: 'Unit' }] },
    { ...options, units: { Unit: unit } },
  );
  return (await pipeline.rank([{}])).ranked[0]?.score;
}

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

describe('decorators', () => {
  test('hold for a class that extends the decorated one, as static inject does', async () => {
    class Heir extends Decorated {}
    class StaticHeir extends Static {}
    expect([await scoreOf(Heir), await scoreOf(StaticHeir)]).toEqual([101, 101]);
  });

  test('inject properties, and undefined for an optional service that is not bound', async () => {
    class Base {
      static readonly meta = meta;
      @inject(CLOCK) private readonly clock!: Clock;
      compile(): Score<unknown> {
        return () => this.clock.now();
      }
    }
    @injectable()
    class Both extends Base {
      constructor(@inject(serviceToken('nothing')) @optional() readonly nothing: unknown) {
        super();
      }
      override compile(): Score<unknown> {
        return () => (this.nothing === undefined ? 1 : 0);
      }
    }
    expect([await scoreOf(Base), await scoreOf(Both)]).toEqual([100, 1]);
  });
});

describe('a service that cannot be created', () => {
  const failure = (unit: UnitClass, given: PipelineOptions = { services }): Promise<string> =>
    scoreOf(unit, given).then(String, (error: Error) => error.message);
  const needing = (...tokens: readonly symbol[]) =>
    class Needing {
      static readonly meta = meta;
      static readonly inject = tokens;
      constructor(readonly service: unknown) {}
      compile(): Score<unknown> {
        return () => 1;
      }
    };

  test('because nothing is bound to its token', async () => {
    const text = await failure(needing(serviceToken('prices')));
    expect(text).toContain('ASZ305 the unit of s cannot be created: nothing is bound to the service prices');
    expect(text).toContain('{ token, class }');
  });

  test('because services need each other', async () => {
    const [a, b] = [serviceToken('a'), serviceToken('b')];
    const circle = [
      { token: a, class: needing(b) },
      { token: b, class: needing(a) },
    ];
    const text = await failure(needing(a), { services: circle });
    expect(text).toContain('the unit of s cannot be created: services need each other: Needing → a → b → a');
  });

  test('because a parameter has no token', async () => {
    class Undecorated {
      static readonly meta = meta;
      constructor(readonly clock: Clock) {}
      compile(): Score<unknown> {
        return () => 1;
      }
    }
    expect(await failure(Undecorated)).toContain('the constructor of Undecorated has a parameter without @inject');
    expect(await failure(needing(undefined as unknown as symbol))).toContain('a token is undefined');
    class Half {
      static readonly meta = meta;
      constructor(
        @inject(CLOCK) readonly clock: Clock,
        readonly other: unknown,
      ) {}
      compile(): Score<unknown> {
        return () => 1;
      }
    }
    expect(await failure(Half)).toContain('the constructor of Half has a parameter without @inject');
  });

  test('because the class of a service is not decorated, or a clock lacks a service', async () => {
    class Undecorated {
      constructor(readonly clock: Clock) {}
    }
    expect(await failure(Static, { services: [{ token: COUNTER, class: Undecorated }] })).toContain(
      'ASZ305 a service cannot be created: the constructor of Undecorated has a parameter without @inject',
    );
    class ServerClock {
      static readonly inject = [serviceToken('server')];
      constructor(readonly server: unknown) {}
    }
    expect(await failure(Static, { services: [{ token: CLOCK, class: ServerClock }] })).toContain(
      'ASZ305 a service cannot be created: nothing is bound to the service server',
    );
  });

  test('because its constructor throws: the error is its own', async () => {
    class Throwing extends Counting {
      constructor(clock: Clock) {
        super(clock);
        throw new Error('no connection');
      }
    }
    const broken = [{ token: COUNTER, class: Throwing }];
    expect(await failure(Static, { services: broken })).toContain('the unit of s cannot be created: no connection');
  });
});

describe.each([
  ['7', () => new Container7()],
  ['8', () => new Container()],
])('the container of an application, of inversify %s', (_, create) => {
  const counting = (next: number): Counter => ({ next: () => next });

  test('provides services, in place of those of plugins and the built-in ones', async () => {
    const container = create();
    container.bind(COUNTER).toConstantValue(counting(7));
    expect([await scoreOf(Static, { container }), await scoreOf(Decorated, { container })]).toEqual([7, 7]);
    container.bind<Clock>(CLOCK).toConstantValue({ now: () => 60 });
    const params = { field: 'at', curve: { type: 'window', max_age: 50 } };
    const pipeline = await createPipeline(
      { tier2_scorers: [{ id: 'x', class: 'DecayScorer', params }] },
      { container },
    );
    expect((await pipeline.rank([{ at: 40 }, { at: 0 }])).ranked.map(({ score }) => score)).toEqual([1, 0]);
  });

  test('is replaced by services given in code', async () => {
    const container = create();
    container.bind(COUNTER).toConstantValue(counting(7));
    expect(await scoreOf(Static, { container, services })).toBe(101);
  });

  test('provides embedders, also to a profile that is not trusted', async () => {
    const container = create();
    const embedder = {
      name: 'mine',
      dimensions: 1,
      embed: (texts: readonly string[]) => texts.map(() => new Float32Array([1])),
    };
    container.bind(embedderToken('mine')).toConstantValue({ open: () => embedder });
    const params = { text: 'text', query: 'query', embedder: 'mine' };
    const pipeline = await createPipeline(
      { tier2_scorers: [{ id: 'x', class: 'SemanticSimilarityScorer', params }] },
      { container, trust: 'none' },
    );
    expect((await pipeline.rank([{ text: 'a' }], { query: 'b' })).ranked[0]?.score).toBe(1);
  });

  test('provides named services, and those of classes', async () => {
    class Prices {
      of = (): number => 5;
    }
    const container = create();
    container.bind(COUNTER).toConstantValue(counting(1)).whenNamed('one');
    container.bind(COUNTER).toConstantValue(counting(20)).whenNamed('twenty');
    container.bind(Prices).toSelf().inSingletonScope();
    class Named {
      static readonly meta = meta;
      constructor(
        @inject(COUNTER) @named('one') private readonly one: Counter,
        @inject(COUNTER) @named('twenty') private readonly twenty: Counter,
        @inject(Prices) private readonly prices: Prices,
      ) {}
      compile(): Score<unknown> {
        return () => this.one.next() + this.twenty.next() + this.prices.of();
      }
    }
    expect(await scoreOf(Named, { container })).toBe(26);
  });

  test('decides how long a service lives, and reports why it cannot be created', async () => {
    const container = create();
    let made = 0;
    container
      .bind(COUNTER)
      .toDynamicValue(() => counting(++made))
      .inSingletonScope();
    expect([await scoreOf(Static, { container }), await scoreOf(Static, { container })]).toEqual([1, 1]);
    const broken = create();
    broken.bind(COUNTER).toService(serviceToken('prices'));
    await expect(scoreOf(Static, { container: broken })).rejects.toThrow(
      /the unit of s cannot be created: the container given to createPipeline has no test-counter: No bindings found/,
    );
  });
});

test('a container without isBound and get is a problem', async () => {
  const options = { container: { get: () => 1 } } as unknown as PipelineOptions;
  await expect(createPipeline({}, options)).rejects.toThrow('expected a container with the methods isBound and get');
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
