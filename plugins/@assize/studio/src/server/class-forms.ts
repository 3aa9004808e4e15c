import * as z from 'zod';
import type { loadPlugins } from 'assize/internal';
import { type ClassForm, isMap, type ParamField, type ProfileDocument } from '../data/studio-data.js';
import { paramFields } from './editing-facts.js';
import { reachingParams } from './reaching.js';

/** The plugins that ship. */
export type Plugins = Awaited<ReturnType<typeof loadPlugins>>;

/** The plugin that every profile has. */
const ALWAYS = 'core';

/**
 * The classes of the plugins that a profile loads, as forms. A class that needs a param without a form has the reason
 * instead.
 */
export function classForms(plugins: Plugins, { plugins: listed }: ProfileDocument): readonly ClassForm[] {
  const loaded = new Set([ALWAYS, ...(Array.isArray(listed) ? listed.map(String) : [])]);
  const units = plugins
    .filter(({ name }) => loaded.has(name))
    .flatMap((plugin) => [...plugin.units].map(([name, unit]) => ({ plugin: plugin.name, name, unit })));
  const isUnique = (name: string): boolean => units.filter((one) => one.name === name).length === 1;
  return units.map(({ plugin, name, unit }): ClassForm => {
    const { kind, summary, params } = unit.meta;
    const { required = [], properties = {} } = z.toJSONSchema(params, { io: 'input', unrepresentable: 'any' });
    const reaches = reachingParams(unit);
    const needed = required.map((param) => ({ param, schema: properties[param] }));
    const fields = paramFields(unit, {}).filter(({ readOnly = false }) => !readOnly);
    const hasForm = (param: string): boolean => fields.some(({ path }) => path[0] === param);
    // A nested scorer can be an expression.
    const nested = needed.flatMap(({ param, schema }): readonly ParamField[] =>
      isMap(schema) && schema['title'] === 'entry' && !hasForm(param)
        ? [
            {
              path: [param, 'expr'],
              value: '',
              isUnset: true,
              form: 'expression',
              ...(typeof schema['description'] === 'string' && { description: schema['description'] }),
            },
          ]
        : [],
    );
    const all = [...nested, ...fields];
    const outside = required.find(reaches);
    const formless = required.find((param) => all.every(({ path }) => path[0] !== param));
    return {
      name: isUnique(name) ? name : `${plugin}/${name}`,
      kind,
      summary,
      params: all.map((field) => ({
        ...field,
        ...(required.includes(String(field.path[0])) && { isRequired: true as const }),
      })),
      ...(outside !== undefined
        ? { withoutForm: { param: outside, because: 'outside' as const } }
        : formless !== undefined && { withoutForm: { param: formless, because: 'shape' as const } }),
    };
  });
}
