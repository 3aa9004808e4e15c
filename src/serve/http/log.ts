/** What happens while a server runs, as fields of a line. */
export interface LogEntry {
  readonly level: 'info' | 'warning' | 'error';
  readonly message: string;
  readonly [field: string]: unknown;
}

/** Hears what happens. */
export type ServeLog = (entry: LogEntry) => void;
