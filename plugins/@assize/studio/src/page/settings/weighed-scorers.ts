import type { StudioData } from '../../data/studio-data.js';
import { casesOf, type Settings } from './settings.js';

/** A scorer that has a weight, as the page shows it. */
export interface WeighedScorer {
  readonly id: string;
  /** For people: its label, or its id. */
  readonly name: string;
  /** Its class or expression. */
  readonly unit: string;
  /** As the profile writes it; an expression is shown, and not dragged. */
  readonly weight: number | string;
  readonly class: string | undefined;
  /** false where the profile has switched it off. */
  readonly enabled: boolean;
}

interface ScorerEntry {
  readonly id: string;
  readonly label?: string;
  readonly enabled?: boolean;
  readonly weight?: number | string;
  readonly expr?: string;
  readonly class?: string;
}

/** The scorers, in the order of the profile. */
export const weighedScorers = ({ profile, units }: StudioData): readonly WeighedScorer[] =>
  ((profile.tier2_scorers ?? []) as readonly ScorerEntry[]).map(
    ({ id, label = id, weight = 1, expr, class: ofClass, enabled = true }) => {
      return { id, name: label, unit: units[id] ?? expr ?? ofClass ?? '', weight, class: ofClass, enabled };
    },
  );

/** The weight of a scorer as it is set, or else as the profile writes it; of a case, where that says one. */
export function weightIn(data: StudioData, settings: Settings, id: string, inCase?: string): number | string {
  const own = inCase === undefined ? undefined : (settings.cases[inCase]?.[id] ?? casesOf(data.profile)[inCase]?.[id]);
  const entry = (data.profile.tier2_scorers as readonly ScorerEntry[] | undefined)?.find((one) => one.id === id);
  return own ?? settings.weights[id] ?? entry?.weight ?? 1;
}
