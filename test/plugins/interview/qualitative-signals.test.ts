import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { conversationQuestion, parseAnswer } from '../../../plugins/interview/conversation-reading.js';
import { QUALITATIVE_SIGNAL_NAMES, QUALITATIVE_SIGNALS } from '../../../plugins/interview/qualitative-signals.js';
import { GOOD } from './language-model-answers.js';

describe('a model’s answer', () => {
  it('is read unchanged if it is valid', () => {
    const { errors, ...qualities } = parseAnswer(GOOD);
    expect(errors).toEqual({});
    expect(qualities).toEqual(
      Object.fromEntries(QUALITATIVE_SIGNAL_NAMES.map((name) => [name, GOOD[`${name}_signal`]])),
    );
  });

  it('may omit values with a default', () => {
    const answer = { emotional_signal: { intensity: 'neutral' }, concept_depth_signal: { suggestion: 'deepen' } };
    expect(parseAnswer(answer)).toMatchObject({
      emotional: { intensity: 'neutral', confidence: 0.7, trajectory: 'stable', markers: [], reasoning: '' },
      concept_depth: { abstraction_level: 0.5, suggestion: 'deepen', has_concrete_examples: false },
      errors: {},
    });
  });

  it.each<Readonly<Record<string, unknown>>>([
    {},
    { uncertainty_signal: null },
    { uncertainty_signal: {} },
    { uncertainty: GOOD.uncertainty_signal },
  ])('%j states no uncertainty, which is valid', (answer) => {
    expect(parseAnswer(answer)).toMatchObject({ uncertainty: null, errors: {} });
  });

  it.each([
    ['high', 'it is the string "high"; expected a map'],
    [[], 'it is a list; expected a map'],
    [
      { severity: 0.1 },
      'uncertainty_type is nothing; expected one of knowledge_gap, conceptual_clarity, confidence_qualification, epistemic_humility, apathy',
    ],
    [
      { uncertainty_type: 'apathy', confidence: 7, severity: '0.4' },
      'confidence is the number 7; expected a number from 0 to 1, and severity is the string "0.4"; expected a number from 0 to 1',
    ],
    [{ uncertainty_type: 'apathy', examples: ['a', 3] }, 'examples[1] is the number 3; expected a text'],
    [
      { uncertainty_type: 'apathy', examples: [1, 2, 3, 4, 5] },
      'examples[0] is the number 1; expected a text, and examples[1] is the number 2; expected a text, and examples[2] is the number 3; expected a text, and 2 more',
    ],
    [{ uncertainty_type: 'apathy', examples: 'a' }, 'examples is the string "a"; expected a list of texts'],
    [{ uncertainty_type: 'apathy', reasoning: null }, 'reasoning is null; expected a text'],
  ])('with the uncertainty %j is invalid there, and valid elsewhere', (said, mistake) => {
    const read = parseAnswer({ ...GOOD, uncertainty_signal: said });
    expect(read.errors).toEqual({ uncertainty: mistake });
    expect(read).toMatchObject({ uncertainty: null, reasoning: GOOD.reasoning_signal });
  });

  it.each([
    ['knowledge_ceiling', { is_terminal: 'false' }, 'is_terminal is the string "false"; expected true or false'],
    [
      'contradiction',
      { contradiction_type: 'lie' },
      'contradiction_type is the string "lie"; expected one of stance_reversal, inconsistent_detail, context_shift, or null',
    ],
  ] as const)('of %s has its types checked', (name, said, mistake) => {
    expect(parseAnswer({ [`${name}_signal`]: said }).errors).toEqual({ [name]: mistake });
  });

  it('gives the keys of the schema and no others, for any answer', () => {
    const keys = QUALITATIVE_SIGNAL_NAMES.map((name) => `${name}_signal`);
    const said = fc.oneof(fc.jsonValue(), ...Object.values(GOOD).map((good) => fc.constant({ ...good, extra: 1 })));
    const answers = fc.dictionary(fc.oneof(fc.constantFrom(...keys, '__proto__', 'toString'), fc.string()), said);
    fc.assert(
      fc.property(answers, (answer) => {
        const { errors, ...qualities } = parseAnswer(answer);
        expect(Object.keys(qualities)).toEqual(QUALITATIVE_SIGNAL_NAMES);
        for (const name of QUALITATIVE_SIGNAL_NAMES) {
          const read = qualities[name];
          if (read !== null)
            expect(Object.keys(read).toSorted()).toEqual(Object.keys(QUALITATIVE_SIGNALS[name].shape).toSorted());
          if (errors[name] !== undefined) expect(read).toBeNull();
        }
      }),
    );
  });
});

describe('the question', () => {
  it('describes every field of every requested signal, and of no other', () => {
    const { instructions } = conversationQuestion(QUALITATIVE_SIGNAL_NAMES, 1500);
    expect(instructions).not.toContain('undefined');
    for (const name of QUALITATIVE_SIGNAL_NAMES) {
      expect(instructions).toContain(`${name}_signal: `);
      for (const field of Object.keys(QUALITATIVE_SIGNALS[name].shape)) expect(instructions).toContain(`- ${field}: `);
    }
    expect(conversationQuestion(['emotional'], 1500).instructions).not.toContain('uncertainty_signal');
  });

  it('requires every signal or null, with all its fields, and nothing else', () => {
    const { answer } = conversationQuestion(QUALITATIVE_SIGNAL_NAMES, 1500);
    const keys = QUALITATIVE_SIGNAL_NAMES.map((name) => `${name}_signal`);
    const { properties, ...schema } = answer.schema as { properties: Record<string, { anyOf: object[] }> };
    expect(schema).toEqual({ type: 'object', required: keys, additionalProperties: false });
    for (const name of QUALITATIVE_SIGNAL_NAMES) {
      expect(properties[`${name}_signal`]?.anyOf).toMatchObject([
        { type: 'object', required: Object.keys(QUALITATIVE_SIGNALS[name].shape), additionalProperties: false },
        { type: 'null' },
      ]);
    }
  });
});
