import type { Layers } from '../values/layers.js';
import { anyOf, type Odd } from '../values/values.js';

/** In the place of a verdict: SQL promises nothing about the row. */
export const ODD = -1;

/** One thing that may decide about a row. */
interface Step {
  /** When SQL promises nothing, asked first. */
  readonly odd: Odd;
  /** When the row is refused, and the verdict that it then has. */
  readonly refuses?: string | undefined;
  readonly verdict?: number;
}

/** What decides about a row, in order: the first step that says something holds. */
export class VerdictSteps {
  readonly #steps: Step[] = [];

  add(step: Step): void {
    this.#steps.push(step);
  }

  /** Adds a step before all others. */
  addFirst(step: Step): void {
    this.#steps.unshift(step);
  }

  /** Every row that comes so far is odd. */
  giveUp(): void {
    this.add({ odd: ['TRUE'] });
  }

  /** Whether every row is odd. */
  get isIdle(): boolean {
    const first = this.#steps.find(({ odd, refuses }) => refuses !== undefined || odd.includes('TRUE'));
    return first?.odd.includes('TRUE') === true;
  }

  /** The verdict of a row: 0 where no step says anything. */
  sql(layers: Layers): string {
    const cases = this.#steps.flatMap(({ odd, refuses, verdict }) => [
      ...(odd.length > 0 ? [`WHEN ${layers.let(anyOf(odd))} THEN ${ODD}`] : []),
      ...(refuses !== undefined ? [`WHEN ${refuses} THEN ${verdict}`] : []),
    ]);
    return cases.length === 0 ? '0' : `CASE ${cases.join('\n    ')} ELSE 0 END`;
  }
}
