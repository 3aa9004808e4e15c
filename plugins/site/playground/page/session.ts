import { computed, onBeforeUnmount, ref, shallowRef } from 'vue';
import { EngineClient } from '../client.js';
import { examples, openExample } from '../gallery/index.js';
import type { CandidateFormat, ReadCandidates, RunResult, ShownProblem } from '../protocol.js';
import { FragmentError, fromFragment, type PlaygroundState, toFragment } from '../share/fragment.js';

/** How long the address waits for more changes. */
const LINK_DELAY_MS = 300;
/** A run that takes longer can be stopped. */
const SLOW_MS = 3000;

/** The version of Assize, which the build replaces. */
declare const ASSIZE_VERSION: string;

const EMPTY: PlaygroundState = { profile: '', candidates: '[]', format: 'json', context: '', now: '' };

/** What the page shows, and the calls of the engine that keep it up to date. */
export function useSession() {
  const engine = new EngineClient();
  const state = shallowRef<PlaygroundState>(EMPTY);
  const example = ref('');
  const about = ref('');
  /** Increases when the texts were replaced as a whole, so that the editors show them. */
  const opened = ref(0);
  const result = shallowRef<RunResult>({ problems: [], weights: [], ranking: undefined });
  const read = shallowRef<ReadCandidates>({ count: 0, problems: [] });
  const explanation = ref('');
  const message = ref('');
  const isRunning = ref(false);
  const isSlow = ref(false);
  const runs = ref(0);
  /** The weights of sliders that move, until the ranking has them. */
  const moving = ref<Readonly<Record<string, number>>>({});

  let isReadCurrent = false;
  let isCurrent = true;
  let linkTimer: ReturnType<typeof setTimeout> | undefined;

  const problems = computed<readonly ShownProblem[]>(() => [...read.value.problems, ...result.value.problems]);

  function change(part: Partial<PlaygroundState>): void {
    if ('candidates' in part || 'format' in part) isReadCurrent = false;
    state.value = { ...state.value, ...part };
    example.value = '';
    isCurrent = false;
    if (!isRunning.value) void run();
  }

  /** Ranks until the result is that of the newest texts. */
  async function run(): Promise<void> {
    isRunning.value = true;
    const slow = setTimeout(() => (isSlow.value = true), SLOW_MS);
    try {
      while (!isCurrent) {
        isCurrent = true;
        await runOnce(); // oxlint-disable-line no-await-in-loop -- each run is of newer texts
      }
    } catch (error) {
      message.value =
        (error as Error).message === 'stopped'
          ? 'Stopped. Change a text to rank again.'
          : `The ranking failed: ${(error as Error).message}`;
    } finally {
      clearTimeout(slow);
      isSlow.value = false;
      isRunning.value = false;
    }
    clearTimeout(linkTimer);
    linkTimer = setTimeout(() => void writeLink(), LINK_DELAY_MS);
  }

  async function runOnce(): Promise<void> {
    const { candidates, format, profile, context, now, selected } = state.value;
    if (!isReadCurrent) {
      isReadCurrent = true;
      read.value = await engine.call('read', candidates, format);
    }
    const found = await engine.call('run', { profile, context, now });
    result.value = found;
    if (weightQueue.size === 0) moving.value = {};
    runs.value += 1;
    message.value = '';
    await explain(found.ranking === undefined ? undefined : selected);
  }

  async function explain(index: number | undefined): Promise<void> {
    explanation.value = index === undefined ? '' : await engine.call('explain', index).catch(() => '');
  }

  async function select(index: number): Promise<void> {
    state.value = { ...state.value, selected: index };
    await explain(index);
    await writeLink();
  }

  function stop(): void {
    isReadCurrent = false;
    isCurrent = true;
    engine.restart();
  }

  const weightQueue = new Map<string, number>();
  let isWriting = false;

  /** Writes the weight of a slider into the profile. Of several positions, only the last is written. */
  async function setWeight(scorer: string, weight: number): Promise<void> {
    moving.value = { ...moving.value, [scorer]: weight };
    weightQueue.set(scorer, weight);
    if (isWriting) return;
    isWriting = true;
    try {
      for (let next = weightQueue.entries().next().value; next; next = weightQueue.entries().next().value) {
        const { profile } = state.value;
        const edited = await engine.call('withWeight', profile, ...next); // oxlint-disable-line no-await-in-loop -- in order
        if (state.value.profile !== profile) continue; // typed meanwhile
        if (weightQueue.get(next[0]) === next[1]) weightQueue.delete(next[0]);
        change({ profile: edited });
      }
    } catch (error) {
      weightQueue.clear();
      moving.value = {};
      message.value = (error as Error).message;
    } finally {
      isWriting = false;
    }
  }

  function open(next: PlaygroundState): void {
    change({ selected: undefined, ...next });
    opened.value += 1;
  }

  async function openByName(name: string): Promise<void> {
    const found = await openExample(name);
    open(found.state);
    example.value = name;
    about.value = found.about;
  }

  /** Opens what the address says: a state, an example, or the first example. */
  async function openLink(): Promise<void> {
    const { hash } = location;
    const named = /^#example=([\w-]+)$/.exec(hash)?.[1];
    try {
      const linked = await fromFragment(hash);
      if (linked) {
        about.value = '';
        open(linked);
        return;
      }
    } catch (error) {
      if (!(error instanceof FragmentError)) throw error;
      await openByName(examples[0]!.name);
      await settled();
      message.value = error.message;
      return;
    }
    await openByName(examples.find(({ name }) => name === named)?.name ?? examples[0]!.name);
  }

  async function settled(): Promise<void> {
    while (isRunning.value) await new Promise((resolve) => setTimeout(resolve, 10)); // oxlint-disable-line no-await-in-loop
  }

  /** Writes the state into the address. @returns whether it fits */
  async function writeLink(): Promise<boolean> {
    try {
      const isExample = example.value !== '' && state.value.selected === undefined;
      const fragment = isExample ? `example=${example.value}` : await toFragment(state.value);
      history.replaceState(history.state, '', `#${fragment}`);
      return true;
    } catch (error) {
      if (!(error instanceof FragmentError)) throw error;
      history.replaceState(history.state, '', location.pathname + location.search);
      message.value = error.message;
      return false;
    }
  }

  async function copyLink(): Promise<void> {
    if (!(await writeLink())) return;
    await navigator.clipboard.writeText(location.href);
    message.value = 'The link is copied.';
  }

  /** Lists of more candidates are not written into the download. */
  const MOST_IN_DOWNLOAD = 5000;

  async function download(): Promise<void> {
    await settled();
    const { folderOf } = await import('../share/download.js');
    const isShort = (result.value.ranking?.counts.given ?? Infinity) <= MOST_IN_DOWNLOAD;
    const ranking = isShort ? await engine.call('rankingJson') : undefined;
    const url = URL.createObjectURL(
      new Blob([folderOf(state.value, ASSIZE_VERSION, ranking)], { type: 'application/zip' }),
    );
    const link = document.createElement('a');
    link.href = url;
    link.download = 'assize-playground.zip';
    link.click();
    URL.revokeObjectURL(url);
  }

  async function openFile(file: File): Promise<void> {
    const extension = /\.(jsonl|ndjson|csv|json)$/i.exec(file.name)?.[1]?.toLowerCase();
    const text = await file.text();
    const format: CandidateFormat =
      extension === 'csv' ? 'csv' : extension === 'json' ? 'json' : extension ? 'jsonl' : formatOf(text);
    change({ candidates: text, format, selected: undefined });
    opened.value += 1;
  }

  const linkChanged = (): void => void openLink();
  addEventListener('hashchange', linkChanged);
  onBeforeUnmount(() => {
    removeEventListener('hashchange', linkChanged);
    clearTimeout(linkTimer);
    engine.stop();
  });

  return {
    engine,
    state,
    example,
    about,
    opened,
    result,
    read,
    explanation,
    message,
    isRunning,
    isSlow,
    runs,
    moving,
    problems,
    change,
    select,
    stop,
    setWeight,
    openByName,
    openLink,
    copyLink,
    download,
    openFile,
  };
}

/** The format that a text probably has. */
export function formatOf(text: string): CandidateFormat {
  const start = text.trimStart();
  if (start.startsWith('[')) return 'json';
  if (!start.startsWith('{')) return 'csv';
  try {
    JSON.parse(start.slice(0, start.indexOf('\n') + 1 || undefined));
    return 'jsonl';
  } catch {
    return 'json';
  }
}
