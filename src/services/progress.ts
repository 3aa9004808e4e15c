import type { Progress } from '../contract/progress.js';
import { type ServiceToken, serviceToken } from '../contract/service.js';

/** The token for services that do slow work: `@inject(PROGRESS)`. */
export const PROGRESS: ServiceToken<Progress> = serviceToken<Progress>('progress');

export const noProgress: Progress = () => {};
