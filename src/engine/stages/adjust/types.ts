/** An amount of a rule, for a candidate and the score so far (`score` of the current run). */
export type CompiledAmount = (candidate: unknown, row: number) => unknown;

/** A factor; undefined where the key that chooses it is absent: then the rule does not fire. */
export interface CompiledFactor {
  readonly factor: CompiledAmount;
  /** Of a table: what chooses a row, one a level. */
  readonly keys: readonly CompiledAmount[];
  /** Whether a factor of 0 refuses the candidate. */
  readonly zeroRefuses: boolean;
}

/** A rule on the combined score. What is undefined is not part of it. */
export interface CompiledRule {
  readonly id: string;
  readonly when: CompiledAmount | undefined;
  readonly set: CompiledAmount | undefined;
  readonly add: CompiledAmount | undefined;
  readonly multiply: CompiledFactor | undefined;
  readonly min: CompiledAmount | undefined;
  readonly max: CompiledAmount | undefined;
}

/** One operation of a rule, and the score after it. */
export interface RuleStep {
  readonly operation: 'set' | 'add' | 'multiply' | 'min' | 'max';
  readonly amount: number;
  readonly score: number;
}
