import type { Explanation } from 'assize/browser';
import type { StudioModel } from '../model/studio-model.js';
import { ComparePanel } from './compare-panel.js';
import { WhyPanel } from './why-panel.js';

interface WhyTabProps {
  readonly model: StudioModel;
  readonly active: number | undefined;
  readonly other: number | undefined;
  readonly details: ((position: number) => Promise<Explanation>) | undefined;
  readonly compare: () => void;
  readonly report: (error: unknown) => void;
}

/** Why the chosen candidate stands where it does, and what decides between it and another. */
export function WhyTab({ model, active, other, details, compare, report }: WhyTabProps) {
  if (active === undefined) return <NothingChosen />;
  return (
    <>
      <WhyPanel model={model} position={active} details={details} compare={compare} />
      {active === other && <p class="note">Choose another candidate to compare the two.</p>}
      {other !== undefined && active !== other && (
        <ComparePanel model={model} positions={[other, active]} report={report} />
      )}
    </>
  );
}

/** What to do first. */
function NothingChosen() {
  return (
    <section class="hint" aria-label="Why">
      <h2>Why?</h2>
      <p class="note">Choose a candidate to see the parts of its score, down to the fields that were read.</p>
      <dl>
        <dt>
          <kbd>↑</kbd> <kbd>↓</kbd>
        </dt>
        <dd>another candidate</dd>
        <dt>
          <kbd>C</kbd>
        </dt>
        <dd>compare it with the next you choose</dd>
        <dt>
          <kbd>Ctrl</kbd> <kbd>Z</kbd>
        </dt>
        <dd>undo</dd>
      </dl>
    </section>
  );
}
