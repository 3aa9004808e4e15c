import * as inversify from 'inversify';

/*
 * Typed here, so that the published types need none of inversify's.
 */

/** Class decorator: the parameters of the constructor are services, each named by `@inject`. */
export const injectable: () => ClassDecorator = inversify.injectable;

/** Parameter decorator: names the service to inject, by its token. */
export const inject: (token: symbol) => ParameterDecorator = inversify.inject;
