import { useEffect, useRef, useState } from 'preact/hooks';
import type { FoundWeights } from '../../data/studio-data.js';
import { messageOf } from '../parts/message-of.js';

/** Long work of the server that finds weights. */
export interface Finding<Step> {
  readonly isRunning: boolean;
  /** The last that was heard of it. */
  readonly step: Step | undefined;
  readonly found: FoundWeights | undefined;
  readonly problem: string;
  readonly start: () => void;
}

/** Starts work, hears its steps and its result; it is cancelled with what shows it. */
export function useFinding<Step>(
  work: (heard: (step: Step) => void, signal: AbortSignal) => Promise<FoundWeights>,
): Finding<Step> {
  const [isRunning, setRunning] = useState(false);
  const [step, hear] = useState<Step | undefined>(undefined);
  const [found, setFound] = useState<FoundWeights | undefined>(undefined);
  const [problem, setProblem] = useState('');
  const abort = useRef<AbortController | undefined>(undefined);
  useEffect(() => () => abort.current?.abort(), []);
  const start = (): void => {
    const controller = new AbortController();
    abort.current = controller;
    setRunning(true);
    setProblem('');
    setFound(undefined);
    work(hear, controller.signal)
      .then(setFound, (error: unknown) => {
        if (!controller.signal.aborted) setProblem(messageOf(error));
      })
      .finally(() => {
        setRunning(false);
        hear(undefined);
      });
  };
  return { isRunning, step, found, problem, start };
}
