/*
 * Decorators that write what `static inject` says: a class of units is defined without loading a container, which takes
 * longer than all of the SDK. inversify's own decorators work as well.
 */

/** Marks a class whose constructor's parameters are services, each with `@inject`. The tokens alone have an effect. */
export const injectable = (): ClassDecorator => () => {};

/** Names the service that a parameter of the constructor is. */
export const inject =
  (token: symbol): ParameterDecorator =>
  (unit, _member, index) => {
    const tokens: unknown = Object.hasOwn(unit, 'inject') ? Reflect.get(unit, 'inject') : [];
    const named: readonly unknown[] = Array.isArray(tokens) ? tokens : [];
    Object.defineProperty(unit, 'inject', { value: Object.assign([...named], { [index]: token }), configurable: true });
  };
