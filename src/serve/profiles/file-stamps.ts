import { type BigIntStats } from 'node:fs';
import { stat } from 'node:fs/promises';

/** A file at one time: what changes with its contents, and when that was. */
interface FileStamp {
  readonly text: string;
  /** Milliseconds since 1970. */
  readonly changedAt: number;
}

/** Files at one time, by their paths. */
export type FileStamps = ReadonlyMap<string, FileStamp>;

const MISSING: FileStamp = { text: 'missing', changedAt: 0 };

const stampOf = ({ ino, size, mtimeNs, ctimeNs }: BigIntStats): FileStamp => ({
  text: `${ino} ${size} ${mtimeNs} ${ctimeNs}`,
  changedAt: Number(ctimeNs / 1_000_000n),
});

/** What files look like now: one `stat` each, through links. */
export async function stampsOf(files: Iterable<string>): Promise<FileStamps> {
  const stamp = async (file: string): Promise<[string, FileStamp]> => [
    file,
    await stat(file, { bigint: true }).then(stampOf, () => MISSING),
  ];
  return new Map(await Promise.all([...files].map(stamp)));
}

/** The files that have another stamp than before, or had none. */
export const changedFiles = (before: FileStamps, now: FileStamps): readonly string[] =>
  [...now].filter(([file, { text }]) => before.get(file)?.text !== text).map(([file]) => file);

/** Whether files are those of other stamps, which may have more. */
export const areAmong = (files: FileStamps, others: FileStamps): boolean =>
  [...files].every(([file, { text }]) => others.get(file)?.text === text);

/** How far the clock of a disk may be behind that of the process, in milliseconds. */
const CLOCK_STEP = 50;

/**
 * Whether files that were read after a time are those of the stamps: none has changed since, as far as stamps from before the time
 * tell, or else the file's own time.
 */
export const wereUnchanged = (before: FileStamps, now: FileStamps, since: number): boolean =>
  [...now].every(([file, { text, changedAt }]) => {
    const earlier = before.get(file);
    return earlier === undefined ? changedAt < since - CLOCK_STEP : earlier.text === text;
  });
