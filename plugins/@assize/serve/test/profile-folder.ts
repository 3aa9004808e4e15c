import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { temporaryFolder } from '../../../../test/temporary-folder.js';

/** A folder of profiles. */
export interface ProfileFolder {
  readonly path: string;
  write(name: string, text: string): void;
  /** Like editors and deployments: another file takes its name. */
  replace(name: string, text: string): void;
  remove(name: string): void;
}

/** A separate folder for a test. */
export function profileFolder(files: Readonly<Record<string, string>> = {}): ProfileFolder {
  const path = temporaryFolder('assize-serve-');
  const write = (name: string, text: string): void => {
    mkdirSync(dirname(join(path, name)), { recursive: true });
    writeFileSync(join(path, name), text);
  };
  for (const [name, text] of Object.entries(files)) write(name, text);
  return {
    path,
    write,
    replace: (name, text) => {
      write(`${name}.new`, text);
      renameSync(join(path, `${name}.new`), join(path, name));
    },
    remove: (name) => rmSync(join(path, name), { recursive: true }),
  };
}

/** A profile that scores each candidate by one expression. */
export const scoring = (expr: string, more = ''): string => `tier2_scorers: [{ id: only, expr: '${expr}' }]\n${more}`;
