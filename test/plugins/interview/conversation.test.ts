import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type ConversationTurn,
  conversationOf,
  latestTurnsWithin,
} from '../../../plugins/interview/conversation-reading.js';
import { estimateTokens } from '../../../src/services/language-model/chat-completion.js';

const turn = (text: string): ConversationTurn => ({ speaker: 'respondent', text });

describe('a conversation', () => {
  it('is the history of the context, or empty without one', () => {
    const history = [
      { speaker: 'system', text: 'Why coffee?', id: 1 },
      { speaker: 'user', text: 'It wakes me.' },
    ];
    expect(conversationOf({ history })).toEqual([
      { speaker: 'interviewer', text: 'Why coffee?' },
      { speaker: 'respondent', text: 'It wakes me.' },
    ]);
    expect([conversationOf({}), conversationOf({ history: null })]).toEqual([[], []]);
  });

  it.each([
    ['hi', 'the context\'s history is the string "hi"; expected a list of { speaker: user or system, text: a string }'],
    [['hi'], 'the context\'s history[0] is the string "hi"; expected { speaker: user or system, text: a string }'],
    [
      [{ speaker: 'bob', text: 'x' }],
      "the context's history[0] is a map; expected { speaker: user or system, text: a string }",
    ],
  ])('of another shape is rejected: %j', (history, message) => {
    expect(() => conversationOf({ history })).toThrow(message);
  });
});

describe('the turns that fit', () => {
  const turns = ['one', 'two', 'three'].map(turn);

  it('are all, if there is space', () => {
    expect(latestTurnsWithin(turns, 1000)).toEqual(turns);
  });

  it('are the last ones otherwise', () => {
    expect(latestTurnsWithin(turns, 30)).toEqual(turns.slice(1));
  });

  it('are the end of the last one if that alone is too long', () => {
    const [only, ...others] = latestTurnsWithin([turn('a'), turn(`${'x'.repeat(5000)} in the end`)], 100);
    expect(others).toEqual([]);
    expect(only?.text).toMatch(/^…x+ in the end$/);
  });

  it('never exceed the limit, and never split a character', () => {
    const texts = fc.array(fc.string({ unit: 'binary', maxLength: 400 }), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(texts, fc.integer({ min: 40, max: 400 }), (all, room) => {
        const fit = latestTurnsWithin(all.map(turn), room);
        expect(fit.length).toBeGreaterThan(0);
        expect(estimateTokens(JSON.stringify(fit.map(({ text }) => text)))).toBeLessThanOrEqual(room);
        expect(fit.map(({ text }) => text).slice(1)).toEqual(all.slice(all.length - fit.length + 1));
        expect(all.at(-1)?.endsWith(fit.at(-1)?.text.replace(/^…/, '') ?? '-')).toBe(true);
        expect(fit[0]?.text).not.toMatch(/^…?[\uDC00-\uDFFF]/);
      }),
    );
  });
});
