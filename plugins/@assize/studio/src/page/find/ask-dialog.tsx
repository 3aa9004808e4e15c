import { useEffect, useRef, useState } from 'preact/hooks';
import type { AskedPair, PairReply } from '../../data/studio-data.js';
import type { StudioServer } from '../model/server-api.js';
import { formatValue } from '../parts/format.js';
import { FindingDialog, type FindingProps } from './finding-dialog.js';
import { useFinding } from './use-finding.js';

interface AskProps extends FindingProps {
  readonly server: StudioServer;
  /** The query whose candidates are asked about. */
  readonly query: number;
}

/** Answers by key, as `assize ask` reads them. */
const KEYS: Readonly<Record<string, PairReply>> = { a: 'a', b: 'b', '=': 'same', q: 'stop' };

/** Asks which of two candidates should come first until the answers decide the top, as `assize ask` does. */
export function AskDialog({ server, query, ...props }: AskProps) {
  const finding = useFinding<AskedPair>((heard, signal) => server.ask(query, heard, signal));
  const { step, start } = finding;
  const { candidates } = props.model.data;
  const [problem, setProblem] = useState('');
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
    const onKeyDown = ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent) => {
      const choice = ctrlKey || metaKey || altKey ? undefined : KEYS[key];
      if (choice) reply(choice);
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);
  return (
    <FindingDialog
      {...props}
      title="Which should come first?"
      finding={problem === '' ? finding : { ...finding, problem }}
    >
      {step ? (
        <div>
          <p class="note" aria-live="polite">
            Question {step.answered + 1}; the weights that fit the answers agree on {Math.round(step.agreement * 100)} %
            of the top.
          </p>
          <Pair pair={step.pair.map((position) => candidates[position]!)} choose={reply} />
          <div class="row">
            <button type="button" onClick={() => reply('same')}>
              = Neither
            </button>
            <button type="button" onClick={() => reply('stop')}>
              q Enough
            </button>
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
  readonly choose: (choice: PairReply) => void;
}

/** Two candidates, each a button: the fields in which they differ. */
function Pair({ pair, choose }: PairProps) {
  const first = useRef<HTMLButtonElement>(null);
  useEffect(() => first.current?.focus(), []);
  const texts = pair.map(fieldTexts);
  const names = [...new Set(texts.flatMap((one) => [...one.keys()]))];
  const differing = names.filter((name) => texts[0]?.get(name) !== texts[1]?.get(name)).slice(0, MOST);
  return (
    <div class="pair">
      {(['a', 'b'] as const).map((choice, k) => (
        <button key={choice} type="button" ref={k === 0 ? first : null} onClick={() => choose(choice)}>
          <b>{choice}</b>
          <dl>
            {differing.map((name) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{texts[k]?.get(name)}</dd>
              </div>
            ))}
          </dl>
        </button>
      ))}
    </div>
  );
}

/** The fields of a candidate that are texts, numbers, booleans or dates. */
const fieldTexts = (candidate: object): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(candidate)
      .filter(([, value]) => value instanceof Date || (value !== null && typeof value !== 'object'))
      .map(([name, value]) => [name, formatValue(value)]),
  );
