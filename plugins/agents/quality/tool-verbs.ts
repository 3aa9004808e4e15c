const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

/** Verbs of tools that change something: files, bookings, messages. */
const CHANGES = words(
  'add append apply assign book buy cancel change click commit copy create delete deploy drop edit exchange fill ' +
    'insert install mark merge modify move multiedit order patch pay post publish push put refund remove rename replace ' +
    'reply reserve revert save schedule send set submit transfer type uninstall update upload write',
);

/** Verbs of tools that only read. What follows them is a noun: `get_order`. */
const READS = words(
  'browse calculate check compare count describe download fetch find get grep list look lookup open parse query read ' +
    'retrieve search select show summarize think validate view',
);

/** Whether a tool changes something, by the first verb in its name: `book_reservation`, `NotebookEdit`, `send-mail`. */
export function changesSomething(tool: string): boolean {
  const verb = tool
    .replaceAll(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .find((word) => CHANGES.has(word) || READS.has(word));
  return verb !== undefined && CHANGES.has(verb);
}
