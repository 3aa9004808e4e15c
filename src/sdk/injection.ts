import type { MetadataName, ServiceIdentifier } from 'inversify';
import type { ServiceClass } from './plugin.js';
import type { UnitClass } from './unit.js';

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
