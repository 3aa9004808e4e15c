import { statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { AssizeError, messageWithCauses, toError } from '../../diagnostics/index.js';
import { type OptionalPackage, OptionalPackageError, requireOptional } from '../optional-package.js';
import { onnxError } from './onnx-error.js';
import type { OnnxModel, OnnxModels } from './onnx-models.js';
import { type OnnxLibrary, SessionModel } from './session-model.js';

const ONNX_RUNTIME: OptionalPackage<OnnxLibrary> = {
  name: 'onnxruntime-node',
  neededBy: 'a model in the ONNX format',
  part: 'InferenceSession',
  isLibrary: (module): module is OnnxLibrary =>
    typeof module === 'object' && module !== null && 'InferenceSession' in module && 'Tensor' in module,
};

/** Models run by the package `onnxruntime-node`, which only a profile with one loads. */
export class OnnxRuntime implements OnnxModels {
  static readonly inject: readonly symbol[] = [];
  #loaded: OnnxLibrary | undefined;
  readonly #models = new Map<string, Promise<OnnxModel>>();

  /** @param load requires the package: synchronous, so that loading the profile finds out that it is missing */
  constructor(private readonly load: () => unknown = () => createRequire(import.meta.url)('onnxruntime-node')) {}

  check(file: string): void {
    this.#library();
    const stats = statSync(file, { throwIfNoEntry: false });
    if (!stats?.isFile()) throw onnxError(`${file}: ${stats ? 'expected a file' : 'there is no such file'}`);
  }

  open(file: string): Promise<OnnxModel> {
    const model = this.#models.get(file) ?? this.#read(file);
    this.#models.set(file, model);
    // What failed once may work later: the next run tries again.
    model.catch(() => this.#models.delete(file));
    return model;
  }

  async #read(file: string): Promise<OnnxModel> {
    const library = this.#library();
    try {
      // One thread: with more, the order of additions and with it the last digits would depend on the machine.
      const options = { intraOpNumThreads: 1, interOpNumThreads: 1 };
      return new SessionModel(file, await library.InferenceSession.create(file, options), library);
    } catch (error) {
      if (error instanceof AssizeError) throw error;
      throw onnxError(`${file}: expected a model in the ONNX format: ${messageWithCauses(toError(error))}`, error);
    }
  }

  #library(): OnnxLibrary {
    try {
      this.#loaded ??= requireOptional(ONNX_RUNTIME, this.load);
      return this.#loaded;
    } catch (error) {
      if (!(error instanceof OptionalPackageError)) throw error;
      const { message, cause } = error;
      const code = error.reason === 'missing' ? 'ASZ544' : 'ASZ545';
      throw new AssizeError([{ code, message }], message, { cause });
    }
  }
}
