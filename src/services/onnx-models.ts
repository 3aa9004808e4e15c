import { type ServiceToken, serviceToken } from '../sdk/index.js';

/** A number of each row: the output of a model by its name, and the column of it. The only ones when not given. */
export interface OnnxOutput {
  readonly output?: string | undefined;
  readonly column?: number | undefined;
}

/** A model in the ONNX format whose one input is rows of numbers. */
export interface OnnxModel {
  /** How many numbers a row has; undefined if the model takes rows of any length. */
  readonly width: number | undefined;
  /**
   * What the model gives for each row.
   *
   * @param values row after row; rounded to the model's own precision, which is mostly single
   * @param rows   how many rows they are: at least 1
   * @throws AssizeError if the model cannot take them, or has no such output (ASZ546)
   */
  predict(values: Float64Array, rows: number, wanted: OnnxOutput): Promise<Float64Array>;
}

/** Opens models in the ONNX format. */
export interface OnnxModels {
  /** Checks that `open` can work. @throws AssizeError that names what to install (ASZ544, ASZ545), or the file (ASZ546) */
  check(file: string): void;
  /** @param file its absolute path; a file is read once, for all that ask for it */
  open(file: string): Promise<OnnxModel>;
}

/** The token for units that ask a model: `@inject(ONNX_MODELS)`. */
export const ONNX_MODELS: ServiceToken<OnnxModels> = serviceToken<OnnxModels>('onnx-models');
