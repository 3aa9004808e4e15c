import * as inversify from 'inversify';

/*
 * Said with types of our own: what makes the instances is part of the bundle, and who writes units need not install it.
 */

/** Marks a class whose constructor's parameters are services, each with `@inject`. */
export const injectable: () => ClassDecorator = inversify.injectable;

/** Names the service that a parameter of the constructor is. */
export const inject: (token: symbol) => ParameterDecorator = inversify.inject;
