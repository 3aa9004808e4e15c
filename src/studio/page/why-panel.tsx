import { useEffect, useState } from 'preact/hooks';
import type { ChildTerm, EntryTerm, Explanation, FieldRead, ScorerTerm } from '../../browser/index.js';
import { formatNumber, formatValue } from './format.js';
import type { StudioModel } from './studio-model.js';

interface WhyProps {
  readonly model: StudioModel;
  readonly position: number;
  /** What the classes of the profile noted, from where they can run. */
  readonly details: ((position: number) => Promise<Explanation>) | undefined;
  /** Remembers it as one of two. */
  readonly compare: () => void;
}

/** Why a candidate has its score, by what is set in the page, down to the fields that were read. */
export function WhyPanel({ model, position, details, compare }: WhyProps) {
  const [noted, setNoted] = useState<Explanation | undefined>(undefined);
  useEffect(() => {
    let current = true;
    setNoted(undefined);
    details?.(position).then(
      (explanation) => current && setNoted(explanation),
      () => {}, // what the classes noted is left out: the numbers are all here
    );
    return () => {
      current = false;
    };
  }, [position, details]);
  const explanation = model.ranking.explain({ index: position });
  const { outcome } = explanation;
  return (
    <section class="why" aria-label={`Why ${explanation.id}`} aria-live="polite">
      <h2>{explanation.id}</h2>
      {outcome.kind === 'ranked' && (
        <p>
          Score <b>{formatNumber(outcome.score)}</b>, rank <b>{outcome.rank}</b> of {outcome.of}
          {outcome.selected ? ', selected' : ''}
          {outcome.leftOut ? `, left out: ${outcome.leftOut.text}` : ''}
        </p>
      )}
      {outcome.kind === 'refused' && (
        <p>
          Refused by <b>{model.nameOf(outcome.by)}</b>: {outcome.reason}
        </p>
      )}
      <ul class="tree">
        {explanation.scorers.map((term, k) => (
          <ScorerNode key={term.id} name={model.nameOf(term.id)} term={term} noted={noted?.scorers[k] ?? term} />
        ))}
      </ul>
      {explanation.combine && (
        <p>
          {explanation.combine.formula ?? explanation.combine.method}:{' '}
          <b>{formatNumber(explanation.combine.score ?? Number.NaN)}</b>
          {explanation.combine.present < explanation.combine.of &&
            ` on ${explanation.combine.present} of ${explanation.combine.of}`}
        </p>
      )}
      <ul class="tree">
        {explanation.rules
          .filter(({ state }) => state !== 'not_fired' && state !== 'not_asked')
          .map(({ id, when, score, reads }) => (
            <li key={id}>
              rule <b>{model.nameOf(id)}</b> → {formatNumber(score ?? Number.NaN)} {when && <code>{when}</code>}
              <Reads reads={reads} />
            </li>
          ))}
      </ul>
      <p class="note">
        Vetoes passed:{' '}
        {explanation.vetoes
          .filter(({ state }) => state === 'passed' || state === 'absent')
          .map(({ id }) => model.nameOf(id))
          .join(', ') || 'none'}
      </p>
      <button type="button" onClick={compare}>
        Compare with another
      </button>
    </section>
  );
}

/** A scorer: the arithmetic by what is set in the page, and what its class noted. */
function ScorerNode({ name, term, noted }: { name: string; term: ScorerTerm; noted: ScorerTerm }) {
  const { raw, value, weight, contribution, state } = term;
  const counted = value !== undefined && value !== raw ? ` → ${formatNumber(value)}` : '';
  return (
    <li>
      <details>
        <summary>
          <b>{name}</b> {raw === undefined ? state : formatNumber(raw)}
          {counted}
          {weight !== undefined && ` × ${formatNumber(weight)}`}
          {contribution !== undefined && ` = ${formatNumber(contribution)}`}
        </summary>
        <Noted term={noted} />
      </details>
    </li>
  );
}

/** The class or expression of an entry, what it noted and read, and the entries inside it. */
function Noted({ term: { unit, notes, error, reads, inside } }: { term: EntryTerm }) {
  return (
    <>
      <code>{unit}</code>
      {error !== undefined && <p class="problem">{error}</p>}
      {notes.map(({ text }, k) => (
        <p key={k}>{text}</p>
      ))}
      <Reads reads={reads} />
      {inside.length > 0 && (
        <ul class="tree">
          {inside.map((child: ChildTerm, k) => (
            <li key={k}>
              <details>
                <summary>
                  {child.raw === undefined ? child.state : formatNumber(child.raw)} {child.unit}
                </summary>
                <Noted term={child} />
              </details>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function Reads({ reads }: { reads: readonly FieldRead[] }) {
  if (reads.length === 0) return null;
  return (
    <dl class="reads">
      {reads.map(({ path, value, summary }) => (
        <div key={path}>
          <dt>{path}</dt>
          <dd>{summary ?? (value === undefined ? 'absent' : formatValue(value))}</dd>
        </div>
      ))}
    </dl>
  );
}
