import { TransformersProvider } from '../../../src/services/transformers/models.js';

/*
 * A program of its own, to see that it ends by itself: asks the hub in its first argument for a model, to be kept in
 * the folder in its second, with the patience in its third, and prints what became of it.
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
