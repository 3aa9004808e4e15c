import type { UnitClass } from './unit.js';

/**
 * A module of units, under their class names. It may also export `services`, a list of `ServiceBinding`, and `codes`, a
 * map of the codes of its problems. Other exports are ignored.
 */
export type Plugin = Readonly<Record<string, unknown>>;

/** The units, services and codes of a plugin, checked. */
export interface LoadedPlugin {
  /** The name before the slash of `plugin/ClassName`: `core`, or that of a file or package. */
  readonly name: string;
  readonly units: ReadonlyMap<string, UnitClass>;
  /** The services that it binds or replaces. */
  readonly services: readonly ServiceBinding[];
  /** The codes of the problems that its units report, each with a sentence of what it means. */
  readonly codes: Readonly<Record<string, string>>;
}

/** Names a service that is injected into units. `S` is the type of the service. */
export type ServiceToken<S> = symbol & { readonly service?: S };

/** The token of a name: the same symbol in every copy of Assize, since a plugin may bring its own. */
export const serviceToken = <S>(name: string): ServiceToken<S> => Symbol.for(`assize:${name}`);

/** Binds a service: its token with a value, or with a class that is instantiated once a pipeline. */
export type ServiceBinding =
  | { readonly token: symbol; readonly value: unknown }
  | { readonly token: symbol; readonly class: ServiceClass };

/** A class of services. Its own services are injected as into a unit. */
export interface ServiceClass {
  readonly inject?: readonly symbol[];
  new (...services: never[]): object;
}

/*
 * The decorators set `static inject` and load no container, which takes longer than all of the SDK. inversify's own
 * decorators work as well.
 */

/** Marks a class whose constructor's parameters are services, each with `@inject`. The tokens alone have an effect. */
export const injectable = (): ClassDecorator => () => {};

/** Names the service that is injected as a parameter of the constructor. */
export const inject =
  (token: symbol): ParameterDecorator =>
  (unit, _member, index) => {
    const tokens: unknown = Object.hasOwn(unit, 'inject') ? Reflect.get(unit, 'inject') : [];
    const named: readonly unknown[] = Array.isArray(tokens) ? tokens : [];
    Object.defineProperty(unit, 'inject', { value: Object.assign([...named], { [index]: token }), configurable: true });
  };
