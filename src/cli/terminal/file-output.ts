import { fstatSync, writeSync } from 'node:fs';

/** Whether a descriptor is a file or a device, and no terminal, pipe or socket. */
export function isFile(descriptor: number, terminal: boolean): boolean {
  try {
    const found = fstatSync(descriptor);
    return found.isFile() || (found.isCharacterDevice() && !terminal);
  } catch {
    return false; // it is closed
  }
}

/**
 * A stream on a file: each text is written whole before the next. Node's own takes no notice where the system writes less,
 * which is what a disk that is filling up looks like.
 */
export class FileOutput {
  /** @param onError called with the error of a text that cannot be written */
  constructor(
    private readonly descriptor: number,
    private readonly onError: (error: NodeJS.ErrnoException) => void,
  ) {}

  write(text: string): void {
    try {
      for (let rest = Buffer.from(text); rest.length > 0; ) rest = rest.subarray(writeSync(this.descriptor, rest));
    } catch (error) {
      this.onError(error as NodeJS.ErrnoException);
    }
  }
}
