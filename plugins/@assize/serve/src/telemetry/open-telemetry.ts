import type * as api from '@opentelemetry/api';
import { AssizeError } from 'assize';
import { importOptional, isMap, type OptionalPackage } from 'assize/sdk';

export type OpenTelemetry = typeof api;

const API: OptionalPackage<OpenTelemetry> = {
  name: '@opentelemetry/api',
  neededBy: '@assize/serve/telemetry',
  part: 'trace, metrics and context',
  isLibrary: (module): module is OpenTelemetry =>
    isMap(module) && ['trace', 'metrics', 'context'].every((part) => part in module),
};

/** @throws OptionalPackageError if it is not installed, with the install command */
export const importOpenTelemetry = (): Promise<OpenTelemetry> =>
  importOptional(API, () => import('@opentelemetry/api'));

/** The kind of an error with few values: the code of its first problem, or the name of its class. */
export function errorType(error: unknown): string {
  if (error instanceof AssizeError) return error.code;
  return error instanceof Error ? error.name : '_OTHER';
}
