import type { ExpressionScope, VariableType } from '../../expression/index.js';

type Variables = Readonly<Record<string, VariableType>>;

const fieldsVariable = (ids: readonly string[], type: 'number' | 'dyn'): VariableType => ({
  fields: Object.fromEntries(ids.map((id) => [id, type])),
});

/** Names that no scorer may have: a formula could not tell them from its variables. */
export const RESERVED_IDS: ReadonlySet<string> = new Set(
  [
    'candidate context signals measures now score scores input',
    'generated vetoed failed strategies combine',
    // CEL's keywords
    'true false null in as break const continue else for function if import let loop package namespace return var void while',
  ].flatMap((words) => words.split(' ')),
);

/** The variables that an expression may read, by where it stands. */
export class ExpressionScopes {
  /** The ids resolved so far: signals and measures read the earlier ones only. */
  readonly signals: string[] = [];
  readonly measures: string[] = [];

  constructor(
    private readonly scorers: readonly string[],
    /** The fields of the context, where the profile declares them. */
    private readonly context: readonly string[] | undefined,
  ) {}

  private request(): Variables {
    return { context: this.context ? fieldsVariable(this.context, 'dyn') : 'map' };
  }

  private base(): Variables {
    return {
      ...this.request(),
      now: 'number',
      signals: fieldsVariable(this.signals, 'dyn'),
    };
  }

  private withCandidate(): Variables {
    return { ...this.base(), candidate: 'dyn' };
  }

  private withMeasures(): Variables {
    return { ...this.withCandidate(), measures: fieldsVariable(this.measures, 'number') };
  }

  /** `select.top`, `select.min_score`: once a run, before anything else of it. */
  limit(): ExpressionScope {
    return { name: 'a limit of the selection', variables: this.request() };
  }

  /** `when` of an entry, signal, phase, focus; `weight`: once a run. */
  run(): ExpressionScope {
    return { name: 'an expression evaluated once a run', variables: this.base() };
  }

  /** `expr` in Tier 1, `candidate.pinned`: each candidate. */
  veto(): ExpressionScope {
    return { name: 'a veto', variables: this.withCandidate() };
  }

  /** `expr` in measures, Tier 2 and children, `weights.by`, `multiply.by`: each kept candidate. */
  scorer(): ExpressionScope {
    return { name: 'a scorer', variables: this.withMeasures() };
  }

  /** `combine.formula`: each candidate, its raw scores by id. */
  formula(): ExpressionScope {
    const raws = Object.fromEntries(this.scorers.map((id): [string, VariableType] => [id, 'number']));
    return { name: 'the formula', variables: { ...raws, ...this.withMeasures() } };
  }

  /** `adjustments`, `select.duplicates`, `per.by`, `ties`, `pack.cost`, a selector's params: each scored candidate. */
  scored(): ExpressionScope {
    const scored: Variables = { score: 'number', scores: fieldsVariable(this.scorers, 'number') };
    return { name: 'a rule on scored candidates', variables: { ...this.withMeasures(), ...scored } };
  }

  /** `fallback[].when`: once, when nothing was selected. */
  fallback(): ExpressionScope {
    const counts: Variables = { generated: 'number', vetoed: 'number', failed: 'number', strategies: 'dyn' };
    return { name: 'a fallback', variables: { ...this.base(), ...counts } };
  }
}
