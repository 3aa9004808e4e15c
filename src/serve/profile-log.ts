import type { ServeLog } from './http/log.js';
import type { ServeMetrics } from './http/metrics.js';
import type { ProfileEvent } from './profiles/index.js';

/** Says and counts what happens to a profile. */
export function logProfileEvent(event: ProfileEvent, log: ServeLog, metrics: ServeMetrics): void {
  switch (event.kind) {
    case 'loaded':
      metrics.reload(event.profile, 'loaded');
      log({ level: 'info', message: 'a profile answers', profile: event.profile, version: event.version });
      for (const { message, hint } of event.warnings) {
        log({ level: 'warning', message, profile: event.profile, ...(hint !== undefined && { hint }) });
      }
      return;
    case 'broken': {
      metrics.reload(event.profile, 'broken');
      const what = event.answersOn ? 'a profile is broken; its last version answers on' : 'a profile is broken';
      return log({ level: 'error', message: `${what}\n${event.error.message}`, profile: event.profile });
    }
    case 'removed':
      metrics.reload(event.profile, 'removed');
      return log({ level: 'info', message: 'a profile is gone', profile: event.profile });
    case 'restart_needed': {
      const message = 'modules of a plugin have changed, and Node keeps them: restart the server';
      return log({ level: 'warning', message, profile: event.profile, modules: event.modules });
    }
    case 'unreadable':
      return log({ level: 'error', message: event.error.message });
  }
}
