import type { Counts } from './model/counts.js';
import type { PageSteps } from './judge/page-steps.js';
import type { Quality } from './model/quality.js';
import type { StudioModel } from './model/studio-model.js';
import { Term } from './glossary/term.js';
import { formatCount } from './parts/in-words.js';
import { Menu } from './parts/menu.js';
import { QualityLine } from './queries/quality-line.js';
import type { Command } from './search/search-dialog.js';

interface HeaderProps {
  readonly model: StudioModel;
  readonly counts: Counts;
  readonly steps: PageSteps;
  /** How good the order is, and the baseline. */
  readonly quality: { readonly now: Quality; readonly before: Quality };
  /** The mode in which keys grade items; undefined if there is no server. */
  readonly judge: { readonly isOn: boolean; readonly toggle: () => void } | undefined;
  readonly report: (error: unknown) => void;
  /** Whether the page has further queries. */
  readonly isOneQuery: boolean;
  readonly openSearch: () => void;
  /** What the menu offers. */
  readonly commands: readonly Command[];
}

/** Whether keys are named as on a Mac. */
export const isMac = /Mac|iP(?:hone|ad)/.test(navigator.platform);

/** The name of the profile, the search, and the commands. */
export function Header(props: HeaderProps) {
  const { model, steps, quality, judge, counts, report, isOneQuery, openSearch, commands } = props;
  const act = (work: Promise<void>) => void work.catch(report);
  return (
    <header>
      <div class="title">
        <h1 title={model.data.title}>{fileNameOf(model.data.title)}</h1>
        <p class="facts">
          <span>
            <b>{formatCount(counts.ranked)}</b> ranked
          </span>
          <span>
            <b>{formatCount(counts.refused)}</b> <Term of="removed">removed</Term>
          </span>
          <QualityLine
            {...quality}
            {...(isOneQuery && { title: 'this query' })}
            isSure={() => !isOneQuery} // one query of several shows nothing about the others
          />
        </p>
      </div>
      <button type="button" class="search-button" onClick={openSearch} aria-keyshortcuts="Control+K Meta+K">
        <svg width="14" height="14" viewBox="0 0 14 14" aria-hidden="true">
          <circle cx="6" cy="6" r="4.3" fill="none" stroke="currentColor" stroke-width="1.5" />
          <path d="M9.3 9.3L13 13" stroke="currentColor" stroke-width="1.5" />
        </svg>
        <span class="words">Search items and commands</span>
        <kbd>{isMac ? '⌘K' : 'Ctrl K'}</kbd>
      </button>
      <div class="row actions">
        {judge && (
          <button type="button" aria-pressed={judge.isOn} aria-keyshortcuts="g" onClick={judge.toggle}>
            Judge
          </button>
        )}
        <button type="button" disabled={!steps.canUndo} onClick={() => act(steps.undo())}>
          Undo
        </button>
        <button type="button" disabled={!steps.canRedo} onClick={() => act(steps.redo())}>
          Redo
        </button>
        <Menu title="More">
          <ul class="commands">
            {commands.map(({ title, keys, disabled = false, run }) => (
              <li key={title}>
                <button type="button" class="quiet" disabled={disabled} onClick={run}>
                  <span>{title}</span>
                  {keys && <kbd>{keys}</kbd>}
                </button>
              </li>
            ))}
          </ul>
        </Menu>
      </div>
      {model.isBusy && <progress class="busy" aria-label="Recomputing scores" />}
    </header>
  );
}

/** The name of a file without its folders; other titles as they are. */
export const fileNameOf = (title: string): string => title.replace(/^.*[\\/]/, '') || title;
