import { readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { errorCode } from '../../diagnostics/index.js';

/** A process, as another one can tell it from those that have had its pid before, or will have it. */
export interface ProcessIdentity {
  readonly host: string;
  readonly pid: number;
  /** The boot of the machine, and when in it the process started; undefined where the system does not say (not Linux). */
  readonly started?: string | undefined;
}

/** What is known of a process: `unknown` of another machine's, and where a pid alone does not tell. */
export type ProcessState = 'running' | 'ended' | 'unknown';

/** The identity of this process. */
export async function thisProcess(): Promise<ProcessIdentity> {
  return { host: hostname(), pid: process.pid, started: (await readProcess(process.pid))?.started };
}

/** Whether a process still runs, as far as this one can see. */
export async function stateOfProcess({ host, pid, started }: ProcessIdentity): Promise<ProcessState> {
  if (host !== hostname()) return 'unknown';
  if (!hasProcess(pid)) return 'ended';
  const found = await readProcess(pid);
  if (found === undefined || started === undefined) return 'unknown';
  return found.started === started && found.runs ? 'running' : 'ended';
}

function hasProcess(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) !== 'ESRCH'; // of another user: EPERM
  }
}

const BOOT_ID = '/proc/sys/kernel/random/boot_id';
/** The position of the start time among the fields that follow the name, in ticks since the boot: proc_pid_stat(5). */
const START_TIME = 19;

/** A process in Linux's /proc; undefined where there is none. One that was killed and not waited for has ended. */
async function readProcess(pid: number): Promise<{ readonly started: string; readonly runs: boolean } | undefined> {
  try {
    const [boot, line] = await Promise.all([readFile(BOOT_ID, 'utf8'), readFile(`/proc/${pid}/stat`, 'utf8')]);
    const fields = line.slice(line.lastIndexOf(')') + 2).split(' '); // the name before it may have spaces
    return { started: `${boot.trim()} ${fields[START_TIME]}`, runs: fields[0] !== 'Z' && fields[0] !== 'X' };
  } catch {
    return undefined;
  }
}
