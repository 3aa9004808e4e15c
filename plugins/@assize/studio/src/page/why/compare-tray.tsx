import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Comparison } from 'assize/browser';
import type { StudioModel } from '../model/studio-model.js';
import { colourOf, formatGain, formatNumber } from '../parts/format.js';
import { ordinal, plainName } from '../parts/in-words.js';
import { isOn } from '../settings/settings.js';
import { comparisonText } from './comparison-words.js';
import { ProposalList } from './proposal-list.js';
import { partDifferences, scoreParts } from './score-parts.js';

/** More items do not fit next to each other. */
export const MOST_COMPARED = 4;

interface TrayProps {
  readonly model: StudioModel;
  /** The items, the first chosen first. */
  readonly positions: readonly number[];
  readonly titleOf: (position: number) => string;
  readonly report: (error: unknown) => void;
  /** Removes an item. */
  readonly remove: (position: number) => void;
}

/** What the comparison shows of an item. */
interface Compared {
  readonly position: number;
  readonly rank: number;
  /** The score of each criterion; missing without data. */
  readonly scores: Readonly<Record<string, number | null>>;
  readonly boosts: ReadonlyMap<string, number>;
  /** The rules that removed it, in words; undefined if it has a score. */
  readonly removedBy: string | undefined;
}

function comparedOf(model: StudioModel, position: number): Compared {
  const rank = model.shown.ranks[position]!;
  const outcome = rank > 0 ? undefined : model.ranking.explain({ index: position }).outcome;
  const parts = scoreParts(model, position) ?? [];
  return {
    position,
    rank,
    scores: rank > 0 ? (model.ranking.terms({ index: position })?.scores ?? {}) : {},
    boosts: new Map(parts.flatMap(({ id, amount, isBoost }) => (isBoost ? [[id, amount] as const] : []))),
    removedBy:
      outcome === undefined
        ? undefined
        : outcome.kind === 'refused'
          ? `removed by ${plainName(model, outcome.by)}`
          : outcome.kind,
  };
}

/** Two to four items next to each other: what decides their order, and what would reverse that of two. */
export function CompareTray({ model, positions, titleOf, report, remove }: TrayProps) {
  if (positions.length < 2) return null;
  const items = positions.map((position) => comparedOf(model, position));
  const [a, b] = positions as [number, number];
  const differences = positions.length === 2 ? partDifferences(model, a, b) : undefined;
  const sentence = positions.length === 2 ? comparisonText(model, [a, b], titleOf) : '';
  return (
    <section class="compare" aria-label="Comparison">
      <h3>Comparison</h3>
      {sentence !== '' && <p>{sentence}</p>}
      <div class="scroll" tabIndex={0} role="region" aria-label="Compared items">
        <table>
          <thead>
            <tr>
              <td />
              {positions.map((position) => (
                <th key={position} scope="col">
                  <span class="clamp" title={titleOf(position)}>
                    {titleOf(position)}
                  </span>
                  <button
                    type="button"
                    class="quiet"
                    title="Take out of the comparison"
                    onClick={() => remove(position)}
                  >
                    Take out<span class="visually-hidden"> {titleOf(position)}</span>
                    <span class="visually-hidden"> of the comparison</span>
                  </button>
                </th>
              ))}
              {differences && (
                <th scope="col" title={DIFFERENCE}>
                  Difference
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            <Row name="Place by score" cells={items.map(({ rank }) => (rank > 0 ? ordinal(rank) : '–'))}>
              {differences && <td />}
            </Row>
            {model.scorers
              .filter((scorer) => isOn(model.settings, scorer))
              .map(({ id }) => (
                <CriterionRow key={id} {...{ model, id, items }}>
                  {differences && <Amount of={differences.find((one) => one.id === id)?.amount} />}
                </CriterionRow>
              ))}
            {[...new Set(items.flatMap(({ boosts }) => [...boosts.keys()]))].map((id) => (
              <Row
                key={id}
                name={`Boost: ${plainName(model, id)}`}
                cells={items.map(({ boosts }) => (boosts.has(id) ? formatGain(boosts.get(id)!) : '–'))}
              >
                {differences && <Amount of={differences.find((one) => one.id === id)?.amount} />}
              </Row>
            ))}
          </tbody>
          <tfoot>
            <Row
              name="Score"
              cells={items.map(({ rank, removedBy }) =>
                rank > 0 ? model.ranking.rankedAt(rank)!.score.toFixed(3) : `not scored (${removedBy})`,
              )}
            >
              {differences && <Amount of={differences.reduce((sum, { amount }) => sum + amount, 0)} />}
            </Row>
          </tfoot>
        </table>
      </div>
      {positions.length === 2 && <Reversals {...{ model, report, titleOf }} pair={[a, b]} />}
    </section>
  );
}

const DIFFERENCE =
  'What each row adds to the difference of the scores: its score times its share. A criterion without data counts as the average of the others.';

interface RowProps {
  readonly name: string;
  readonly cells: readonly string[];
  readonly children: ComponentChildren;
}

function Row({ name, cells, children }: RowProps) {
  return (
    <tr>
      <th scope="row" title={name}>
        {name}
      </th>
      {cells.map((cell, k) => (
        <td key={k}>{cell}</td>
      ))}
      {children}
    </tr>
  );
}

interface CriterionRowProps {
  readonly model: StudioModel;
  readonly id: string;
  readonly items: readonly Compared[];
  readonly children: ComponentChildren;
}

function CriterionRow({ model, id, items, children }: CriterionRowProps) {
  const best = Math.max(...items.flatMap(({ scores }) => scores[id] ?? []));
  return (
    <tr>
      <th scope="row" title={id}>
        <i style={{ background: colourOf(model.scorers.findIndex((one) => one.id === id)) }} />
        {plainName(model, id)}
      </th>
      {items.map(({ position, scores, removedBy }) => {
        const score = scores[id] ?? undefined;
        return (
          <td key={position} class={score === best ? 'best' : ''} title={removedBy && `not scored (${removedBy})`}>
            {score === undefined ? <small>{removedBy ? 'not scored' : 'no data'}</small> : formatNumber(score)}
          </td>
        );
      })}
      {children}
    </tr>
  );
}

const Amount = ({ of }: { readonly of: number | undefined }) => <td>{of === undefined ? '–' : formatGain(of)}</td>;

interface ReversalsProps extends Pick<TrayProps, 'model' | 'report' | 'titleOf'> {
  readonly pair: readonly [number, number];
}

/** The weights that would reverse the order of two items: each with a button that tries it. */
function Reversals({ model, pair: [a, b], titleOf, report }: ReversalsProps) {
  const [comparison, setComparison] = useState<Comparison | undefined>(undefined);
  const { ranking } = model;
  useEffect(() => {
    let current = true;
    setComparison(undefined);
    ranking.compare({ index: a }, { index: b }).then((found) => current && setComparison(found), report);
    return () => {
      current = false;
    };
  }, [ranking, a, b, report]);
  const { behind, because } = comparison?.flips ?? {};
  if (!comparison || behind === undefined || because !== undefined) return null;
  const areRanked = [a, b].every((position) => model.shown.ranks[position]! > 0);
  if (!areRanked || !model.ranker.readsWeights) return null;
  const weights = comparison.flips.weights.filter((flip) => flip.state === 'flips');
  return (
    <>
      <h3>What would put {titleOf(behind === 'a' ? a : b)} ahead</h3>
      <ProposalList {...{ model, weights, report }} />
    </>
  );
}
