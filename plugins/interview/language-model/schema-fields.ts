import { z } from '../../../src/sdk.js';

/*
 * The kinds of fields of qualitative signals. Each has a description, which the model gets, the expected value for
 * error messages, and a default.
 */

/** A number from 0 to 1. */
export const fractionField = (what: string, or: number) => {
  const error = 'a number from 0 to 1';
  return z.number({ error }).min(0, { error }).max(1, { error }).default(or).describe(`${what}, from 0 to 1`);
};

/** A yes or no. */
export const flagField = (what: string) =>
  z.boolean({ error: 'true or false' }).default(false).describe(`whether ${what}`);

/** A short text. */
export const textField = (what: string) => z.string({ error: 'a text' }).default('').describe(what);

/** Short quotations. */
export const quotationsField = (what: string) => {
  const error = 'a list of texts';
  return z
    .array(z.string({ error: 'a text' }), { error })
    .default([])
    .describe(`${what}: at most three short quotations`);
};

/** One of a few words, each with its meaning for the model; '' where the word is clear. */
export const choiceField = <W extends string>(what: string, words: Readonly<Record<W, string>>) => {
  const names = Object.keys(words) as W[];
  const meanings = names.map((name) => (words[name] === '' ? name : `${name} (${words[name]})`));
  return z.enum(names, { error: `one of ${names.join(', ')}` }).describe(`${what}: ${meanings.join(', ')}`);
};

/** Makes a field optional and keeps its description. */
export const withDefault = <S extends z.ZodType>(field: S, value: z.util.NoUndefined<z.output<S>>) =>
  field.default(value).describe(field.description ?? '');

export const confidenceField = () => fractionField('how sure you are', 0.7);
export const reasoningField = () => textField('why, in one short sentence');
