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
