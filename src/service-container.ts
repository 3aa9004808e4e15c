import type { Container, Newable } from 'inversify';
import type { Progress, ServiceBinding, ServiceClass, Tracer, UnitClass, UnitInstance } from './contract/index.js';
import {
  CLOCK,
  type Clock,
  EMBEDDERS,
  EmbedderRegistry,
  embedderToken,
  LexicalProvider,
  PROGRESS,
  systemClock,
  TRACER,
} from './services/index.js';

/** Inversify's own message asks for a decorator, whatever version one was taken from. */
const UNDECORATED = [
  'what its constructor is to be given is not said',
  'static inject = [CLOCK], or @injectable() and @inject(CLOCK) on each parameter, by assize/sdk; decorators of inversify 7 and 8 do, too, and not those of 5 and 6',
].join('\n');

/** Whether inversify threw it, and not a constructor: its errors have symbols of its own. */
const isOfInversify = (error: unknown): boolean =>
  error instanceof Error &&
  Object.getOwnPropertySymbols(error).some(({ description }) => description?.startsWith('@inversifyjs/'));

/** A class that may have services injected. */
type InjectedClass = UnitClass | ServiceClass;

/**
 * Makes the units of one pipeline, and their services, which are made once and shared. Of several bindings of one token
 * the last counts.
 *
 * Injection is that of inversify, 366 files that take a tenth of a second to load: only where a unit needs it.
 */
export class ServiceContainer {
  readonly #bindings: ReadonlyMap<symbol, ServiceBinding>;
  #container: Container | undefined;

  /** @param given those of the place that this runs in, of the profile's plugins, and of the caller, in this order */
  constructor(given: readonly ServiceBinding[], progress: Progress, tracer: Tracer) {
    const builtIn: readonly ServiceBinding[] = [
      { token: CLOCK, value: systemClock },
      { token: PROGRESS, value: progress },
      { token: TRACER, value: tracer },
      { token: EMBEDDERS, value: new EmbedderRegistry((token) => this.#find(token), tracer) },
      { token: embedderToken('lexical'), class: LexicalProvider },
    ];
    this.#bindings = new Map([...builtIn, ...given].map((binding) => [binding.token, binding]));
  }

  /** Loads inversify where one of a profile's classes, or the clock, needs it. A change of the profile adds no class. */
  async prepare(units: readonly UnitClass[]): Promise<void> {
    const clock = this.#bindings.get(CLOCK);
    if (units.some(isInjected) || (clock !== undefined && 'class' in clock))
      this.#container = this.#fill(await import('inversify'));
  }

  clock(): Clock {
    return this.#find(CLOCK) as Clock;
  }

  /** Makes one instance for each use: two novelty entries have two memories, and two of everything else. */
  instantiate(unit: UnitClass): UnitInstance {
    const container = this.#container;
    if (container === undefined) return new unit();
    const missing = this.#missing(unit);
    if (missing !== undefined) throw new Error(missing);
    const token = unit as unknown as Newable<UnitInstance>;
    try {
      if (!container.isBound(token)) bindClass(container, token, unit, 'Transient');
      return container.get(token);
    } catch (error) {
      throw isOfInversify(error) && !unit.inject ? new Error(UNDECORATED, { cause: error }) : error;
    }
  }

  /** What is bound to a token; undefined where nothing is. */
  #find(token: symbol): unknown {
    const binding = this.#bindings.get(token);
    if (binding === undefined) return undefined;
    return 'value' in binding ? binding.value : this.#container?.get(token);
  }

  #fill(inversify: typeof import('inversify')): Container {
    const container = new inversify.Container();
    for (const binding of this.#bindings.values()) {
      if ('class' in binding) bindClass(container, binding.token, binding.class, 'Singleton');
      else container.bind(binding.token).toConstantValue(binding.value);
    }
    return container;
  }

  /** Why a class cannot be instantiated: the first of its services, and of theirs, that nothing is bound to. */
  #missing(injected: InjectedClass, seen = new Set<InjectedClass>()): string | undefined {
    if (seen.has(injected)) return undefined;
    seen.add(injected);
    for (const [at, token] of Array.from<symbol | undefined>(injected.inject ?? []).entries()) {
      if (token === undefined) return `parameter ${at + 1} of its constructor has no @inject`;
      const binding = this.#bindings.get(token);
      if (binding === undefined) {
        const name = (token.description ?? '').replace(/^assize:/, '');
        return `nothing is bound to the service ${name}\na plugin's services, or createPipeline's, bind it: { token, class }`;
      }
      const missing = 'class' in binding ? this.#missing(binding.class, seen) : undefined;
      if (missing !== undefined) return missing;
    }
    return undefined;
  }
}

/**
 * Whether a class is instantiated by inversify: its constructor has parameters, or inversify's own decorators may
 * describe it, which needs reflect-metadata to be loaded.
 */
const isInjected = (unit: UnitClass): boolean =>
  (unit.inject ?? []).length > 0 || unit.length > 0 || 'getOwnMetadata' in Reflect;

/**
 * Binds a class. One with `static inject`, which the SDK's decorators set, gets its services in that order; any other
 * is instantiated by inversify's own decorators. The types of a constructor's parameters are known only by their tokens,
 * hence inversify's `Newable`.
 */
function bindClass(
  container: Container,
  token: symbol | Newable,
  injected: InjectedClass,
  scope: 'Singleton' | 'Transient',
): void {
  const newable = injected as unknown as Newable<object>;
  const { inject } = injected;
  const binding = inject
    ? container.bind(token).toResolvedValue((...services) => new newable(...services), [...inject])
    : container.bind(token).to(newable);
  if (scope === 'Singleton') binding.inSingletonScope();
  else binding.inTransientScope();
}
