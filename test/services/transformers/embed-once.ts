import { TransformersProvider } from '../../../src/services/transformers/models.js';

/*
 * A separate program that must exit by itself: requests a model from the hub in its first argument, cached in the
 * folder in its second, with the timeout in its third, and prints the result.
 */
const [remote_host, cache_dir, timeout] = process.argv.slice(2);
const embedder = new TransformersProvider().open({
  name: 'transformers',
  model: 'lab/once',
  timeout: Number(timeout),
  options: { remote_host, cache_dir },
});
try {
  const [vector] = await embedder.embed(['laptop']);
  console.log(`${vector?.length} dimensions`);
} catch (error) {
  console.log(String(error));
}
