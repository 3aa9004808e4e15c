/** Names a service that units have injected. `S` is what it gives. */
export type ServiceToken<S> = symbol & { readonly service?: S };

/** Makes the token of a name: the same symbol in every copy of Assize, so that a plugin may bring its own. */
export const serviceToken = <S>(name: string): ServiceToken<S> => Symbol.for(`assize:${name}`);

/** What a plugin's export `services` lists: a token with the value, or the class to make, once a pipeline. */
export type ServiceBinding =
  | { readonly token: symbol; readonly value: unknown }
  | { readonly token: symbol; readonly class: ServiceClass };

/** A class whose instances are services; what it needs itself is injected as into a unit. */
export interface ServiceClass {
  readonly inject?: readonly symbol[];
  new (...services: never[]): object;
}
