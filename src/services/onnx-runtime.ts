import { statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { AssizeError, messageWithCauses, toError } from '../base/index.js';
import type { OnnxModel, OnnxModels, OnnxOutput } from './onnx-models.js';
import { hasParts, type OptionalPackage, requireOptional } from './optional-package.js';

const ONNX_RUNTIME: OptionalPackage<OnnxLibrary> = {
  name: 'onnxruntime-node',
  neededBy: 'a model in the ONNX format',
  part: 'InferenceSession',
  isLibrary: hasParts<OnnxLibrary>('InferenceSession', 'Tensor'),
};

/** Runs models with the package `onnxruntime-node`. Only profiles with such a model load it. */
export class OnnxRuntime implements OnnxModels {
  static readonly inject: readonly symbol[] = [];
  #loaded: OnnxLibrary | undefined;
  readonly #models = new Map<string, Promise<OnnxModel>>();

  /** @param load requires the package; synchronous, so that loading a profile fails if it is missing */
  constructor(private readonly load: () => unknown = () => createRequire(import.meta.url)('onnxruntime-node')) {}

  check(file: string): void {
    this.#library();
    const stats = statSync(file, { throwIfNoEntry: false });
    if (!stats?.isFile()) throw onnxError(`${file}: ${stats ? 'expected a file' : 'there is no such file'}`);
  }

  open(file: string): Promise<OnnxModel> {
    const model = this.#models.get(file) ?? this.#read(file);
    this.#models.set(file, model);
    // Not cached after a failure, so that the next run tries again.
    model.catch(() => this.#models.delete(file));
    return model;
  }

  async #read(file: string): Promise<OnnxModel> {
    const library = this.#library();
    try {
      // One thread: with more, the order of additions, and so the last digits, would depend on the machine.
      const options = { intraOpNumThreads: 1, interOpNumThreads: 1 };
      return new SessionModel(file, await library.InferenceSession.create(file, options), library);
    } catch (error) {
      if (error instanceof AssizeError) throw error;
      throw onnxError(`${file}: expected a model in the ONNX format: ${messageWithCauses(toError(error))}`, error);
    }
  }

  #library(): OnnxLibrary {
    return (this.#loaded ??= requireOptional(ONNX_RUNTIME, this.load, { missing: 'ASZ544', unusable: 'ASZ545' }));
  }
}

/** The package's tensor. */
interface OnnxTensor {
  readonly type: string;
  readonly dims: readonly number[];
  readonly data: ArrayLike<number | bigint | string>;
}

/** The metadata of an input: its type, and its shape. A text or a missing value in the shape means any length. */
interface InputFacts {
  readonly type?: string;
  readonly shape?: readonly (number | string)[];
}

/** The package's session of a loaded model. */
interface OnnxSession {
  readonly inputNames: readonly string[];
  readonly outputNames: readonly string[];
  readonly inputMetadata: readonly InputFacts[];
  run(feeds: Readonly<Record<string, OnnxTensor>>, fetches: readonly string[]): Promise<Record<string, OnnxTensor>>;
}

/** The used part of `onnxruntime-node`. Declared here because the package and its types may be missing. */
interface OnnxLibrary {
  readonly InferenceSession: {
    create(
      file: string,
      options: { readonly intraOpNumThreads: number; readonly interOpNumThreads: number },
    ): Promise<OnnxSession>;
  };
  readonly Tensor: new (
    type: 'float32' | 'float64',
    data: Float32Array | Float64Array,
    dims: readonly number[],
  ) => OnnxTensor;
}

/** A model with one input: a matrix with a row for each candidate. */
class SessionModel implements OnnxModel {
  readonly width: number | undefined;
  readonly #type: 'float32' | 'float64';

  /** @throws AssizeError if the model has other inputs (ASZ546) */
  constructor(
    private readonly file: string,
    private readonly session: OnnxSession,
    private readonly library: OnnxLibrary,
  ) {
    const { inputNames, inputMetadata } = session;
    const [{ type = '', shape = [] } = {}] = inputMetadata;
    if (inputNames.length !== 1) this.#refuse(`expected a model with one input, found ${inputNames.join(', ')}`);
    if (shape.length !== 2)
      this.#refuse(
        `expected an input of rows and columns, found ${shape.length === 1 ? '1 dimension' : `${shape.length} dimensions`}`,
      );
    if (typeof shape[0] === 'number' && shape[0] > 0)
      this.#refuse(`expected an input of any number of rows, found ${shape[0]}: export it with a dynamic first axis`);
    if (type !== 'float32' && type !== 'float64') this.#refuse(`expected an input of float or double, found ${type}`);
    this.#type = type;
    this.width = typeof shape[1] === 'number' && shape[1] > 0 ? shape[1] : undefined;
  }

  async predict(values: Float64Array, rows: number, { output, column }: OnnxOutput): Promise<Float64Array> {
    const name = this.#outputName(output);
    return this.#columnOf(await this.#run(values, rows, name), rows, name, column);
  }

  async #run(values: Float64Array, rows: number, output: string): Promise<OnnxTensor> {
    const data = this.#type === 'float32' ? Float32Array.from(values) : values;
    const input = new this.library.Tensor(this.#type, data, [rows, values.length / rows]);
    const feeds = { [this.session.inputNames[0]!]: input };
    const found = await this.session
      .run(feeds, [output])
      .catch((error: unknown) => this.#refuse(`the model fails: ${messageWithCauses(toError(error))}`, error));
    return found[output] ?? this.#refuse(`the model returned no ${output}`);
  }

  /** The requested output, or the only one. */
  #outputName(wanted: string | undefined): string {
    const { outputNames } = this.session;
    const [first = '', ...others] = outputNames;
    if (wanted === undefined && others.length === 0) return first;
    if (wanted !== undefined && outputNames.includes(wanted)) return wanted;
    const found = wanted === undefined ? 'several outputs, but output is not set' : `no output ${wanted}`;
    return this.#refuse(`the model has ${found}; its outputs are ${outputNames.join(', ')}`);
  }

  /** One column of an output: the requested one, or the only one. */
  #columnOf({ type, dims, data }: OnnxTensor, rows: number, name: string, wanted?: number): Float64Array {
    const [count, columns = 1] = dims;
    if (count !== rows || dims.length > 2 || type === 'string')
      this.#refuse(`expected numbers for each of ${rows} rows in ${name}, found ${type} of ${dims.join(' × ')}`);
    if (wanted === undefined && columns > 1) this.#refuse(`${name} has ${columns} columns, but column is not set`);
    const column = wanted ?? 0;
    if (column >= columns) this.#refuse(`${name} has columns 0 to ${columns - 1}, but not ${column}`);
    return Float64Array.from({ length: rows }, (_, row) => Number(data[row * columns + column]));
  }

  #refuse(message: string, cause?: unknown): never {
    throw onnxError(`${this.file}: ${message}`, cause);
  }
}

const onnxError = (message: string, cause?: unknown): AssizeError =>
  new AssizeError([{ code: 'ASZ546', message }], message, { cause });
