import { useEffect, useState } from 'preact/hooks';
import type { CandidateOutcome, Explanation } from '../../../browser.js';
import type { StudioModel } from '../model/studio-model.js';
import { colourOf, formatNumber } from '../parts/format.js';
import { EntryNode, RuleNode, ScorerNode } from './term-nodes.js';

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
  const { id, outcome, scorers, combine } = explanation;
  const colours = new Map(model.scorers.map((scorer, k) => [scorer.id, colourOf(k)]));
  const isRefused = outcome.kind === 'refused';
  return (
    <section class="why" aria-label={`Why ${id}`} aria-live="polite">
      <h2>{id}</h2>
      <Outcome model={model} outcome={outcome} />
      <ul class="tree">
        {scorers.map((term) => (
          <ScorerNode
            key={term.id}
            name={model.nameOf(term.id)}
            colour={colours.get(term.id) ?? 'var(--neutral)'}
            term={term}
            noted={noted?.scorers.find((one) => one.id === term.id) ?? term}
          />
        ))}
      </ul>
      {combine?.score !== undefined && (
        <p class="sum">
          <span>
            {combine.formula ?? combine.method.replaceAll('_', ' ')}
            {combine.present < combine.of && ` on ${combine.present} of ${combine.of}`}
          </span>
          <b class="number">{formatNumber(combine.score)}</b>
        </p>
      )}
      <Rules model={model} explanation={explanation} />
      <Entries title="Measures" model={model} terms={noted?.measures ?? explanation.measures} open={false} />
      <Entries title="Vetoes" model={model} terms={noted?.vetoes ?? explanation.vetoes} open={isRefused} />
      <button type="button" onClick={compare}>
        Compare with another
      </button>
    </section>
  );
}

/** What became of a candidate. */
function Outcome({ model, outcome }: { model: StudioModel; outcome: CandidateOutcome }) {
  if (outcome.kind === 'refused') {
    return (
      <p>
        Refused by <b>{model.nameOf(outcome.by)}</b>: {outcome.reason}
      </p>
    );
  }
  if (outcome.kind !== 'ranked') return null;
  return (
    <p>
      Score <b>{formatNumber(outcome.score)}</b>, rank <b>{outcome.rank}</b> of {outcome.of}
      {outcome.selected ? ', selected' : ''}
      {outcome.leftOut ? `, left out: ${outcome.leftOut.text}` : ''}
    </p>
  );
}

/** The rules that fired, in order. */
function Rules({ model, explanation: { rules, combine } }: { model: StudioModel; explanation: Explanation }) {
  const fired = rules.filter(({ state }) => state !== 'not_fired' && state !== 'not_asked');
  if (fired.length === 0) return null;
  return (
    <>
      <h3>Rules</h3>
      <ul class="tree">
        {fired.map((term, k) => (
          <RuleNode
            key={term.id}
            name={model.nameOf(term.id)}
            term={term}
            before={k === 0 ? combine?.score : fired[k - 1]!.score}
          />
        ))}
      </ul>
    </>
  );
}

interface EntriesProps {
  readonly title: string;
  readonly model: StudioModel;
  readonly terms: Explanation['vetoes'] | Explanation['measures'];
  readonly open: boolean;
}

function Entries({ title, model, terms, open }: EntriesProps) {
  if (terms.length === 0) return null;
  return (
    <details open={open}>
      <summary>
        {title} <span class="count">{terms.length}</span>
      </summary>
      <ul class="tree">
        {terms.map((term) => (
          <EntryNode key={term.id} name={model.nameOf(term.id)} term={term} />
        ))}
      </ul>
    </details>
  );
}
