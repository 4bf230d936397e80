import type { Detector } from '../../../src/core/index.js';
import { reportInstances } from '../instances.js';
import { bySession, reportSetting } from '../setting.js';
import type { Kind } from '../words.js';
import { checks } from './checks.js';
import { clouds } from './clouds.js';
import { embedded } from './embedded.js';
import { record, textOf, type Entry, type Manifest } from './entries.js';
import { gateways } from './gateways.js';
import { instances } from './instances.js';
import { kubernetes } from './kubernetes.js';
import { traefik } from './traefik.js';

const READERS: readonly ((manifest: Manifest) => readonly Entry[])[] = [kubernetes, gateways, traefik, checks, clouds];

/** Manifests of clusters and clouds, and settings of proxies that are written as data. */
export const data: Detector<'data', Kind> = (file, report) => ({
  Document(document) {
    const object = record(document.value);
    const kind = textOf(object.kind);
    const name = textOf(record(object.metadata).name);
    const manifest: Manifest = { document, object, kind };
    // The name of a template is known only when it is rendered.
    const shown = /^[^\W_]/.test(name) ? ` \`${name}\`` : '';
    const holder = kind === '' ? file.path.slice(file.path.lastIndexOf('/') + 1) : `The ${kind}${shown}`;
    for (const entry of READERS.flatMap((reader) => reader(manifest))) {
      const at = document.spanOf(entry.path);
      if (at === undefined) continue;
      const { path: _path, byKey, ...seen } = entry;
      const values = { holder, ...seen.data };
      reportSetting(report, byKey === undefined ? { ...seen, ...at, data: values } : bySession(at, values.holder, seen.data.setting ?? '', byKey));
    }
    for (const { path, ...found } of instances(manifest, file.path)) {
      const at = document.spanOf(path);
      if (at !== undefined) reportInstances(report, at, { holder, ...found });
    }
    for (const { setting, at } of embedded(file, manifest)) reportSetting(report, setting, at);
  },
});
