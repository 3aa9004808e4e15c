import { type LanguageModel, quoteExternalText, z } from '../../src/sdk.js';
import { type Asking, askAll } from './ask-all.js';
import type { Comparison } from './bradley-terry.js';
import { askRubric, hopeOfModel, type Judged } from './rubric-question.js';
import type { Pair } from './tournament.js';

const verdict = z.object({ better: z.literal(['first', 'second', 'neither']), reason: z.string() });

/** Which of two texts is better, and why. */
export type Verdict = Judged<z.output<typeof verdict>>;

const QUESTION = {
  answer: { name: 'comparison', type: verdict },
  expected: 'first, second or neither, and a reason',
};

/** How much of a comparison the first text has won. */
const WON: Readonly<Record<Verdict['better'], number>> = { first: 1, second: 0, neither: 0.5 };

/** How many characters of a text tell which one it is. */
const TITLE_LENGTH = 40;

/** The beginning of a text, which ends with no half of a character. */
const titleOf = (text: string): string => text.slice(0, TITLE_LENGTH).replace(/[\uD800-\uDBFF]$/, '');

/** What two texts are compared by. */
export interface ComparerSettings {
  readonly model: LanguageModel;
  readonly instructions: string;
  readonly maxTokens: number;
  readonly query: string | undefined;
  /** The version of the instructions. */
  readonly rubric: string;
  readonly asking: Pick<Asking<Verdict>, 'params' | 'limit' | 'cache' | 'about' | 'abort'>;
}

/** Compares texts by a language model. */
export class Comparer {
  /** What each question was answered, by the texts in their order. */
  readonly verdicts = new Map<string, Verdict | Error>();

  constructor(
    private readonly texts: readonly string[],
    private readonly settings: ComparerSettings,
  ) {}

  /**
   * Compares each pair in both orders, so that a model which favours the first text favours neither.
   *
   * @returns how much the first of each pair has won, from 0 to 1; an error where one of its two questions has failed
   */
  async compare(pairs: readonly Pair[]): Promise<readonly (number | Error)[]> {
    const { asking, model, query, ...question } = this.settings;
    const questions = pairs.flatMap(([one, other]) => [this.#question(one, other), this.#question(other, one)]);
    const answers = await askAll(questions, {
      ...asking,
      batch: 1,
      patience: Infinity,
      hopeOf: hopeOfModel,
      call: async ([texts = '']) => {
        const [first, second] = JSON.parse(texts) as [string, string];
        const material = { ...(query !== undefined && { query }), first, second };
        return [await askRubric(model, { ...QUESTION, ...question }, material, asking.abort)];
      },
    });
    for (const [asked, answer] of answers) this.verdicts.set(asked, answer);
    return pairs.map(([one, other]) => {
      const [there, back] = [this.#said(one, other), this.#said(other, one)];
      if (there instanceof Error) return there;
      return back instanceof Error ? back : (WON[there.better] + 1 - WON[back.better]) / 2;
    });
  }

  /** What a text has won, and against which others, with the reason that was given where it came first. */
  summary(player: number, comparisons: readonly Comparison[]) {
    const own = comparisons.flatMap(({ one, other, won }) => {
      if (one !== player && other !== player) return [];
      const rival = one === player ? other : one;
      const said = this.#said(player, rival);
      return said instanceof Error ? [] : [{ ...said, rival, won: one === player ? won : 1 - won }];
    });
    const reasons = own.map(({ won, rival, reason }) => {
      return `${won} against ${quoteExternalText(titleOf(this.texts[rival]!))} (${reason})`;
    });
    return {
      won: own.reduce((sum, { won }) => sum + won, 0),
      comparisons: own.length,
      model: own.at(-1)?.model,
      rubric: this.settings.rubric,
      reasons: reasons.join('; '),
    };
  }

  #question(first: number, second: number): string {
    return JSON.stringify([this.texts[first], this.texts[second]]);
  }

  /** What was said of two texts that have been compared. */
  #said(first: number, second: number): Verdict | Error {
    return this.verdicts.get(this.#question(first, second))!;
  }
}
