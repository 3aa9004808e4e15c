import { useEffect, useState } from 'preact/hooks';
import { type CandidateOutcome, type Explanation, type ExplanationNode, explanationParts } from 'assize/browser';
import type { StudioModel } from '../model/studio-model.js';
import { useExpert } from '../parts/expert.js';
import { colourOf, formatNumber } from '../parts/format.js';
import { formatCount, plainName } from '../parts/in-words.js';
import { NodeView } from './node-view.js';
import { removalReason } from './removal-reason.js';

interface DetailsProps {
  readonly model: StudioModel;
  readonly position: number;
  /** What the classes of the profile noted, from where they can run. */
  readonly details: ((position: number) => Promise<Explanation>) | undefined;
}

/** The whole explanation of an item as a tree, down to the fields that were read. */
export function AllDetails(props: DetailsProps) {
  const expert = useExpert();
  const [isOpen, setOpen] = useState(expert);
  return (
    <details class="all-details" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>All details</summary>
      {isOpen && <Tree {...props} />}
    </details>
  );
}

function Tree({ model, position, details }: DetailsProps) {
  const [noted, setNoted] = useState<Explanation | undefined>(undefined);
  useEffect(() => {
    let current = true;
    setNoted(undefined);
    details?.(position).then(
      (explanation) => current && setNoted(explanation),
      () => {}, // the notes of the classes are missing: all numbers are here
    );
    return () => {
      current = false;
    };
  }, [position, details]);
  const { outcome, details: stages } = model.ranking.explain({ index: position });
  const colours = new Map(model.scorers.map((scorer, k) => [scorer.id, colourOf(k)]));
  const isRefused = outcome.kind === 'refused';
  return (
    <>
      <Outcome model={model} outcome={outcome} />
      {stages.map((stage) =>
        stage.kind === 'combine' ? (
          <Arithmetic key={stage.id} stage={stage} noted={noted} colours={colours} />
        ) : (
          <Stage key={stage.id} stage={notedStage(stage, noted)} open={isRefused && stage.id === 'veto'} />
        ),
      )}
    </>
  );
}

interface ArithmeticProps {
  readonly stage: ExplanationNode;
  readonly noted: Explanation | undefined;
  readonly colours: ReadonlyMap<string, string>;
}

/** The scorers by what is set in the page, each with what its class noted, and the combined score. */
function Arithmetic({ stage, noted, colours }: ArithmeticProps) {
  const scorers = stage.details.filter(({ kind }) => kind === 'scorer');
  const notes = new Map(noted ? explanationParts(noted).scorers.map((scorer) => [scorer.id, scorer]) : []);
  return (
    <>
      <ul class="tree">
        {scorers.map((scorer) => {
          const { text, details } = notes.get(scorer.id) ?? scorer;
          return <NodeView key={scorer.id} node={{ ...scorer, text, details }} colour={colours.get(scorer.id)} />;
        })}
      </ul>
      {typeof stage.value === 'number' && (
        <p class="sum">
          <span>{[stage.label ?? stage.id, stage.text].filter((part) => part !== '').join(': ')}</span>
          <b class="number">{formatNumber(stage.value)}</b>
        </p>
      )}
    </>
  );
}

/** A stage as the server explains it, where the classes of the profile can run; the rules are those of the page. */
const notedStage = (stage: ExplanationNode, noted: Explanation | undefined): ExplanationNode =>
  (stage.id === 'adjust' ? undefined : noted?.details.find(({ id }) => id === stage.id)) ?? stage;

/** A stage with a line for each of its parts. Rules that did not fire are left out. */
function Stage({ stage, open }: { readonly stage: ExplanationNode; readonly open: boolean }) {
  const shown = stage.details.filter(({ kind, state }) => kind !== 'rule' || !IDLE.has(state ?? ''));
  if (shown.length === 0 || stage.id === 'select') return null;
  return (
    <details open={open || stage.id === 'adjust'}>
      <summary>
        {STAGES[stage.id] ?? stage.label ?? stage.id} <span class="count">{shown.length}</span>
      </summary>
      <ul class="tree">
        {shown.map((node, k) => (
          <NodeView key={k} node={node} />
        ))}
      </ul>
    </details>
  );
}

/** The stages that have a plain name. */
const STAGES: Readonly<Record<string, string>> = { veto: 'Removals', adjust: 'Boosts' };

const IDLE: ReadonlySet<string> = new Set(['not_fired', 'not_evaluated']);

/** What became of a candidate. */
function Outcome({ model, outcome }: { model: StudioModel; outcome: CandidateOutcome }) {
  if (outcome.kind === 'refused') {
    return (
      <p>
        Removed by <b>{plainName(model, outcome.by)}</b>: {removalReason(model, outcome)}
      </p>
    );
  }
  if (outcome.kind !== 'ranked') return null;
  return (
    <p>
      Score <b>{formatNumber(outcome.score)}</b>, rank <b>{formatCount(outcome.rank)}</b> of {formatCount(outcome.of)}
      {outcome.selected ? ', shown' : ''}
      {outcome.notSelected ? `, not shown: ${outcome.notSelected.text}` : ''}
    </p>
  );
}
