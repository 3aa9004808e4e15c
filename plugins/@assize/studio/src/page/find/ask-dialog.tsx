import { useEffect, useRef, useState } from 'preact/hooks';
import type { AskedPair, PairReply } from '../../data/studio-data.js';
import type { StudioServer } from '../model/server-api.js';
import { formatValue } from '../parts/format.js';
import { CardImage } from '../shelf/card-image.js';
import type { Cards } from '../shelf/use-card-fields.js';
import { FindingDialog, type FindingProps } from './finding-dialog.js';
import { useFinding } from './use-finding.js';

interface AskProps extends FindingProps {
  readonly server: StudioServer;
  /** The query whose candidates are compared. */
  readonly query: number;
  /** The fields that cards show. */
  readonly cards: Cards;
}

/** Answers by key: arrows, and the letters of `assize ask`. */
const KEYS: Readonly<Record<string, PairReply>> = {
  ArrowLeft: 'a',
  ArrowRight: 'b',
  ArrowDown: 'same',
  a: 'a',
  b: 'b',
  '=': 'same',
  q: 'stop',
};

/** Shows two items and asks which should come first, until the answers decide the top, as `assize ask` does. */
export function AskDialog({ server, query, cards, ...props }: AskProps) {
  const finding = useFinding<AskedPair>((heard, signal) => server.ask(query, heard, signal));
  const { step, start } = finding;
  const { candidates } = props.model.data;
  const [problem, setProblem] = useState('');
  const [hasAllFields, showAllFields] = useState(false);
  const replied = useRef('');
  const now = useRef(step);
  now.current = step;
  useEffect(start, []);
  const reply = (choice: PairReply) => {
    const question = now.current?.question;
    if (question === undefined || replied.current === question) return; // a second click is no second answer
    replied.current = question;
    server.answer(question, choice).catch((error: unknown) => setProblem(String(error)));
  };
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey } = event;
      const choice = ctrlKey || metaKey || altKey ? undefined : KEYS[key];
      if (!choice || !now.current) return;
      event.preventDefault(); // arrows would scroll
      reply(choice);
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);
  const title = 'Which should come first?';
  return (
    <FindingDialog {...props} {...{ title }} finding={problem === '' ? finding : { ...finding, problem }}>
      {step ? (
        <div>
          <p class="note" aria-live="polite">
            Pair {step.answered + 1};{' '}
            {step.chosen < step.needed ? `${step.needed - step.chosen} more needed` : 'enough to find weights'}; the
            weights that fit your choices agree on {Math.round(step.agreement * 100)} % of the top.
          </p>
          <Pair
            key={step.question}
            pair={step.pair.map((position) => candidates[position]!)}
            {...{ cards, hasAllFields }}
            titles={step.pair.map((position) => cards.read(candidates[position]!).title ?? props.model.idOf(position))}
            choose={reply}
          />
          <div class="row">
            <button type="button" onClick={() => reply('same')}>
              <kbd aria-hidden="true">↓</kbd> About the same, or skip
            </button>
            <button type="button" onClick={() => reply('stop')}>
              <kbd aria-hidden="true">q</kbd> Enough
            </button>
            <label>
              <input
                type="checkbox"
                checked={hasAllFields}
                onChange={({ currentTarget }) => showAllFields(currentTarget.checked)}
              />{' '}
              All fields that differ
            </label>
          </div>
        </div>
      ) : (
        <p>The candidates are being ranked…</p>
      )}
    </FindingDialog>
  );
}

/** How many fields of a candidate are shown. */
const MOST = 14;

interface PairProps {
  readonly pair: readonly object[];
  readonly titles: readonly string[];
  readonly cards: Cards;
  /** Whether to show more fields than the cards do. */
  readonly hasAllFields: boolean;
  readonly choose: (choice: PairReply) => void;
}

const SIDES = [
  { choice: 'a', arrow: '←', name: 'left' },
  { choice: 'b', arrow: '→', name: 'right' },
] as const;

/** Two candidates, each a button with the fields of its card. Scores and places are hidden, because they would suggest an answer. */
function Pair({ pair, titles, cards, hasAllFields, choose }: PairProps) {
  const first = useRef<HTMLButtonElement>(null);
  useEffect(() => first.current?.focus(), []);
  const texts = pair.map(fieldTexts);
  const names = [...new Set(texts.flatMap((one) => [...one.keys()]))];
  const differing = names.filter((name) => texts[0]?.get(name) !== texts[1]?.get(name)).slice(0, MOST);
  return (
    <div class="pair">
      {SIDES.map(({ choice, arrow, name }, k) => {
        const { subtitle, image } = cards.read(pair[k]!);
        return (
          <button key={choice} type="button" ref={k === 0 ? first : null} onClick={() => choose(choice)}>
            <span class="side">
              <kbd aria-hidden="true">{arrow}</kbd> <span class="visually-hidden">{name}</span>
            </span>
            {cards.hasImages && <CardImage address={image} title={titles[k]!} />}
            <b>{titles[k]}</b>
            {subtitle !== '' && <span class="note">{subtitle}</span>}
            {hasAllFields && (
              <dl>
                {differing.map((field) => (
                  <div key={field}>
                    <dt>{field}</dt>
                    <dd>{texts[k]?.get(field)}</dd>
                  </div>
                ))}
              </dl>
            )}
          </button>
        );
      })}
    </div>
  );
}

/** The fields of a candidate that are texts, numbers, booleans or dates. */
const fieldTexts = (candidate: object): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(candidate)
      .filter(([, value]) => value instanceof Date || (value !== null && typeof value !== 'object'))
      .map(([name, value]) => [name, formatValue(value, name)]),
  );
