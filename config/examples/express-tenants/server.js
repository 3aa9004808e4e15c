// @ts-check
import { readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { AssizeError, createPipeline } from 'assize';
import express from 'express';

/** @import { Pipeline } from 'assize' */
/** @import { NextFunction, Request, Response } from 'express' */

const PROFILES = fileURLToPath(new URL('./profiles', import.meta.url));
const TIME_LIMIT = 2000;

/**
 * Makes a pipeline for each profile in a folder: `acme.yaml` is the tenant `acme`. A wrong profile stops the start.
 *
 * @returns {Promise<Map<string, Pipeline>>}
 */
export async function loadTenants(folder = PROFILES) {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.yaml'));
  const pipelines = await Promise.all(files.map((file) => createPipeline(`${folder}/${file}`)));
  return new Map(files.map((file, index) => [file.replace(/\.yaml$/, ''), pipelines[index]]));
}

/** @param {Map<string, Pipeline>} tenants */
export function createApp(tenants) {
  const app = express();
  app.use(express.json({ limit: '1mb' }));
  app.post('/:tenant/rank', async (request, response) => {
    const pipeline = tenants.get(request.params.tenant);
    if (pipeline === undefined) {
      response.status(404).json({ error: `no tenant ${request.params.tenant}` });
      return;
    }
    const { candidates, context, weights, top } = request.body ?? {};
    const signal = AbortSignal.timeout(TIME_LIMIT);
    const ranking = await pipeline.rank(candidates, context, { weights, top, signal });
    response.json({
      ranked: ranking.selected.map(({ id, score }) => ({ id, score: Number(score?.toFixed(3)) })),
      refused: ranking.refused.map(({ id, by }) => ({ id, by })),
      degraded: ranking.degraded,
    });
  });
  app.use(handleError);
  return app;
}

/**
 * Express passes rejected promises of a route here.
 *
 * @param {any} error
 * @param {Request} _request
 * @param {Response} response
 * @param {NextFunction} _next Express detects an error handler by its four parameters.
 */
function handleError(error, _request, response, _next) {
  if (error instanceof AssizeError && error.fault === 'caller') {
    const problems = error.problems.map(({ code, path, message, hint }) => ({ code, path, message, hint }));
    response.status(400).json({ problems });
  } else if (error?.type === 'entity.parse.failed') {
    response.status(400).json({ error: 'the body is not JSON' });
  } else if (error?.name === 'TimeoutError') {
    response.status(503).json({ error: 'too slow' });
  } else if (error?.status < 500) {
    response.status(error.status).json({ error: error.message }); // for example 413, the body is too large
  } else {
    console.error(error);
    response.status(500).json({ error: 'the ranking failed' });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const server = createApp(await loadTenants()).listen(Number(process.env['PORT'] ?? 3000), 'localhost', () => {
    const address = server.address();
    console.log(`listening on http://localhost:${typeof address === 'object' ? address?.port : address}`);
  });
}
