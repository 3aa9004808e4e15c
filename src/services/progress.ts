import { type Progress, type ServiceToken, serviceToken } from '../contract/index.js';

/** The token for services that do slow work: `@inject(PROGRESS)`. */
export const PROGRESS: ServiceToken<Progress> = serviceToken<Progress>('progress');

export const noProgress: Progress = () => {};
