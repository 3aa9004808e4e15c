import type { MetadataName, ServiceIdentifier } from 'inversify';
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

/** A service that a class has injected: its token, and the name that `@named` adds. */
export interface Injection {
  readonly token: ServiceIdentifier;
  readonly name: MetadataName | undefined;
}

/** How a class declares its services: itself, or by the class that it extends. */
export interface InjectionDeclaration {
  readonly by: 'static inject' | 'decorators';
  /** The class that has the declaration. */
  readonly owner: object;
  readonly services: readonly Injection[];
}

/** A class that may have services injected. */
export type InjectedClass = UnitClass | ServiceClass;

/**
 * The metadata that the decorators of inversify 7 and 8 write. `Reflect` holds it under this key for every copy of
 * inversify in the process, so it can be read without loading one.
 */
interface DecoratedClass {
  readonly constructorArguments: readonly (DecoratedElement | undefined)[];
  readonly properties: ReadonlyMap<string | symbol, DecoratedElement>;
}
const DECORATED_CLASS = '@inversifyjs/core/classMetadataReflectKey';

/** A constructor parameter or a property. It has no value if it is not injected. */
interface DecoratedElement {
  readonly value?: ServiceIdentifier | { unwrap(): ServiceIdentifier };
  readonly name?: MetadataName;
}

/** The nearest declaration of a class, or undefined if its services are not declared. */
export function injectionOf(injected: InjectedClass): InjectionDeclaration | undefined {
  for (let owner: unknown = injected; typeof owner === 'function'; owner = Object.getPrototypeOf(owner)) {
    if (Object.hasOwn(owner, 'inject')) {
      const { inject = [] } = owner as InjectedClass;
      return { by: 'static inject', owner, services: inject.map((token) => ({ token, name: undefined })) };
    }
    const decorated = 'getOwnMetadata' in Reflect ? Reflect.getOwnMetadata(DECORATED_CLASS, owner) : undefined;
    if (decorated !== undefined) return { by: 'decorators', owner, services: servicesOf(decorated as DecoratedClass) };
  }
  return undefined;
}

function servicesOf({ constructorArguments, properties }: DecoratedClass): readonly Injection[] {
  return [...constructorArguments, ...properties.values()].flatMap((element) => {
    if (element?.value === undefined) return [];
    const { value, name } = element;
    return [{ token: typeof value === 'object' && 'unwrap' in value ? value.unwrap() : value, name }];
  });
}
