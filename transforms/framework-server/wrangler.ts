import type { Detector } from '../../src/core/index.js';

/** What a migration does to a class of objects, and what that costs. Source: Cloudflare's reference of Durable Object migrations. */
const EFFECTS = {
  deleted_classes: {
    does: 'deletes',
    loss: 'all its objects and what they stored are gone, and the build before, which needs the class, can no longer be deployed',
  },
  renamed_classes: { does: 'renames', loss: 'the build before exports the old name and can no longer be deployed' },
  transferred_classes: { does: 'moves to another script', loss: 'the build before, which holds the class here, can no longer be deployed' },
} as const;

const record = (value: unknown): Readonly<Record<string, unknown>> =>
  value !== null && typeof value === 'object' ? (value as Readonly<Record<string, unknown>>) : {};
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/**
 * Settings of a Cloudflare Worker: the bindings of its Durable Objects, and what its last migration takes away. The migrations above it
 * are history: they were deployed before, in their order.
 */
export const wrangler: Detector<'data', 'object-class-migration'> = (file, report) => ({
  Document(document) {
    if (!/(?:^|\/)wrangler[^/]*\.(?:toml|jsonc?)$/.test(file.path)) return;
    document.each((path, value) => {
      if (path.at(-1) === 'bindings' && path.at(-2) === 'durable_objects')
        list(value).forEach((entry, index) => {
          const { name, class_name } = record(entry);
          const at = document.spanOf([...path, index]);
          if (at !== undefined && typeof class_name === 'string')
            report.fact({ type: 'object-class', site: report.site(at, `the binding \`${textOf(name)}\``), className: class_name, binding: textOf(name) });
        });
      if (path.at(-1) !== 'migrations') return;
      const last = list(value).length - 1;
      for (const [setting, { does, loss }] of Object.entries(EFFECTS))
        list(record(list(value)[last])[setting]).forEach((entry, index) => {
          const name = textOf(entry) || textOf(record(entry).from);
          const at = document.spanOf([...path, last, setting, index]);
          if (at === undefined || name === '') return;
          report.finding('object-class-migration', at, {
            group: `object class ${name}`,
            certainty: 'possible',
            ...(setting === 'deleted_classes' ? {} : { impact: 'degrades' }),
            data: { name, setting, does, loss, stage: 'clean', oneWay: `The migration ${does} the Durable Object class ${name}: ${loss}` },
          });
        });
    });
  },
});
