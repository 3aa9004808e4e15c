/** The options of an evaluation. */
export interface EvaluationOptions {
  /** A folder of models; without one, models come from the model hub. */
  readonly models: string | undefined;
}

/** A measurement on data with labels, as the lines of a report in Markdown. */
export interface Evaluation {
  readonly name: string;
  run(options: EvaluationOptions): AsyncIterable<string>;
}
