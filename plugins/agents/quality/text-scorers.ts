import { abstain, defineScorer, type ParamsOf, type RowScorer, type Score, z } from '../../../src/unit-sdk.js';
import { stepsParam } from './call-scorers.js';
import { readTrace } from './trace-reading.js';
import { listed, shortened, wordsOf } from './trace-texts.js';

type NewInformationParams = ParamsOf<typeof NewInformationScorer>;

/** Favours traces whose last result still tells something new: the share of its words that no earlier result has. */
export class NewInformationScorer implements RowScorer<NewInformationParams> {
  static readonly meta = defineScorer({
    summary: 'Favours traces whose last result has words that no earlier result has.',
    reads: 'params',
    params: z.strictObject({ steps: stepsParam() }),
    range: [0, 1],
    reasons: {
      found: '{fresh} of {words} words of the last result, in step {step}, are new: {text}',
      absent: 'no results',
    },
  });

  compile({ steps }: NewInformationParams): Score<unknown> {
    return (trace, _index, note) => {
      const results = readTrace(steps, trace)?.results ?? [];
      const last = results.at(-1);
      if (last === undefined) return abstain(note, 'absent');
      const earlier = new Set(results.slice(0, -1).flatMap(({ text }) => wordsOf(text)));
      const words = new Set(wordsOf(last.text));
      const fresh = [...words].filter((word) => !earlier.has(word)).length;
      note?.('found', { fresh, words: words.size, step: last.step, text: shortened(last.text) });
      return words.size === 0 ? 0 : fresh / words.size;
    };
  }
}

type RepeatedTextParams = ParamsOf<typeof RepeatedTextScorer>;

/** The number of words in a row that count as the same wording. */
const ROW = 4;

/** Favours traces that do not say the same again: the share of four words in a row that no earlier text of the agent has. */
export class RepeatedTextScorer implements RowScorer<RepeatedTextParams> {
  static readonly meta = defineScorer({
    summary: "Favours traces whose texts do not repeat the wording of the agent's earlier texts.",
    reads: 'params',
    params: z.strictObject({ steps: stepsParam() }),
    range: [0, 1],
    cost: 10,
    reasons: {
      repeated: '{share:percent} of the wording is repeated, most of it in step {step}: {text}',
      none: 'no wording is repeated',
      absent: 'no texts',
    },
  });

  compile({ steps }: RepeatedTextParams): Score<unknown> {
    return (trace, _index, note) => {
      const reading = readTrace(steps, trace);
      if (reading === undefined) return abstain(note, 'absent');
      const seen = new Set<string>();
      let [total, repeated, worst] = [0, 0, 0];
      let where: (typeof reading.messages)[number] | undefined;
      for (const message of reading.messages) {
        const rows = rowsOf(message.words);
        const again = rows.filter((row) => seen.has(row)).length;
        for (const row of rows) seen.add(row);
        total += rows.length;
        repeated += again;
        if (again > worst) [worst, where] = [again, message];
      }
      if (total === 0) return abstain(note, 'absent');
      if (where === undefined) note?.('none');
      else note?.('repeated', { share: repeated / total, step: where.step, text: shortened(where.text) });
      return 1 - repeated / total;
    };
  }
}

const rowsOf = (words: readonly string[]): readonly string[] =>
  words.slice(ROW - 1).map((_word, i) => words.slice(i, i + ROW).join(' '));

type SetbackParams = ParamsOf<typeof SetbackScorer>;

/** Words of a second attempt. Words of politeness and of refusal are not among them: they are often right. */
const SETBACK =
  /\b(?:again|instead|different(?:ly)?|another|alternative(?:ly|s)?|mistake\w*|misunderst\w+|misinterpret\w+|reconsider|re-?check|double-check|retry|try|wrong|incorrect(?:ly)?)\b/i;

/** Favours traces in which the agent does not start again: the share of its texts without words of a second attempt. */
export class SetbackScorer implements RowScorer<SetbackParams> {
  static readonly meta = defineScorer({
    summary: "Favours traces whose texts do not have words of a second attempt, such as 'try again' or 'instead'.",
    reads: 'params',
    params: z.strictObject({ steps: stepsParam() }),
    range: [0, 1],
    reasons: {
      setbacks: '{setbacks} of {texts} texts speak of another attempt ("{word}"), in steps {steps}',
      none: 'none of {texts} texts speaks of another attempt',
      absent: 'no texts',
    },
  });

  compile({ steps }: SetbackParams): Score<unknown> {
    return (trace, _index, note) => {
      const messages = readTrace(steps, trace)?.messages ?? [];
      if (messages.length === 0) return abstain(note, 'absent');
      const setbacks = messages.filter(({ text }) => SETBACK.test(text));
      const [first] = setbacks;
      if (first === undefined) note?.('none', { texts: messages.length });
      else {
        note?.('setbacks', {
          setbacks: setbacks.length,
          texts: messages.length,
          word: SETBACK.exec(first.text)?.[0] ?? '',
          steps: listed(setbacks.map(({ step }) => step)),
        });
      }
      return 1 - setbacks.length / messages.length;
    };
  }
}
