import { type ServiceToken, serviceToken } from '../sdk/index.js';

/** Selects one number per row: an output of the model, and its column. Optional if there is only one. */
export interface OnnxOutput {
  readonly output?: string | undefined;
  readonly column?: number | undefined;
}

/** A model in the ONNX format with one input of rows of numbers. */
export interface OnnxModel {
  /** The length of a row; undefined if the model accepts any length. */
  readonly width: number | undefined;
  /**
   * Returns the model's number for each row.
   *
   * @param values the rows, one after another; rounded to the model's precision, usually single
   * @param rows the number of rows, at least 1
   * @throws AssizeError if the model rejects the values, or does not have the output (ASZ546)
   */
  predict(values: Float64Array, rows: number, wanted: OnnxOutput): Promise<Float64Array>;
}

/** Opens models in the ONNX format. */
export interface OnnxModels {
  /** Checks that `open` can work. @throws AssizeError that names what to install (ASZ544, ASZ545), or the file (ASZ546) */
  check(file: string): void;
  /** @param file absolute path; each file is read only once */
  open(file: string): Promise<OnnxModel>;
}

/** The token for units that use an ONNX model: `@inject(ONNX_MODELS)`. */
export const ONNX_MODELS: ServiceToken<OnnxModels> = serviceToken<OnnxModels>('onnx-models');
