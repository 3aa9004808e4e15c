/** The same candidates in the order of another profile, to compare with. */
export interface OtherRanking {
  /** The profile, as it is named on the command line. */
  readonly title: string;
  /** The positions of the candidates, best first. */
  readonly order: readonly number[];
  /** The score of each in this order; missing where nobody judged them. */
  readonly scores?: readonly number[];
  /** The positions of those that are selected; missing where all that are ranked are. */
  readonly selected?: readonly number[];
}
