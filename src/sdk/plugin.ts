import type { ServiceIdentifier } from 'inversify';
import type { UnitClass } from './unit.js';

/**
 * A module that exports units under their class names. It may also export `services`, a list of `ServiceBinding`, and
 * `codes`, a map from problem codes to meanings. Other exports are ignored.
 */
export type Plugin = Readonly<Record<string, unknown>>;

/** The checked exports of a plugin. */
export interface LoadedPlugin {
  /** The name before the slash of `plugin/ClassName`: `core`, or the name of a file or package. */
  readonly name: string;
  readonly units: ReadonlyMap<string, UnitClass>;
  /** The services that the plugin binds or replaces. */
  readonly services: readonly ServiceBinding[];
  /** The codes of the problems that its units report, each with its meaning in one sentence. */
  readonly codes: Readonly<Record<string, string>>;
}

/** Identifies a service that is injected into units. `S` is the type of the service. */
export type ServiceToken<S> = symbol & { readonly service?: S };

/** The token for a name. It is the same symbol in every copy of Assize, because a plugin may import its own copy. */
export const serviceToken = <S>(name: string): ServiceToken<S> => Symbol.for(`assize:${name}`);

/** The name of a token, for messages. */
export const serviceName = (token: ServiceIdentifier): string => {
  if (typeof token === 'function') return token.name;
  return String(token).replace(/^Symbol\((?:assize:)?(.*)\)$/, '$1');
};

/** Binds a service's token to a value, or to a class that is instantiated once per pipeline. */
export type ServiceBinding =
  | { readonly token: symbol; readonly value: unknown }
  | { readonly token: symbol; readonly class: ServiceClass };

/** The class of a service. Other services are injected into it as into a unit. */
export interface ServiceClass {
  readonly inject?: readonly ServiceIdentifier[];
  new (...services: never[]): object;
}
