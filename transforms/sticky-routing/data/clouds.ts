import { above, mentions, record, under, type Entry, type Manifest, type Path } from './entries.js';

const pinned = (path: Path, setting: string, evidence: string): Entry => ({ kind: 'client-affinity', path, data: { setting }, evidence });

/** Services of clouds that pin clients: AWS, Google Cloud, Azure. */
export const clouds = (manifest: Manifest): readonly Entry[] => [...targetGroups(manifest), ...services(manifest)];

/** `stickiness.enabled` of AWS target groups in SAM and CloudFormation. */
const targetGroups = ({ document }: Manifest): readonly Entry[] =>
  under(document, /^TargetGroupAttributes$/).flatMap(({ path, value }) =>
    (Array.isArray(value) ? (value as readonly unknown[]) : []).flatMap((attribute, index): readonly Entry[] => {
      const { Key, Value } = record(attribute);
      return Key === 'stickiness.enabled' && String(Value) === 'true' && mentions(path[1], above(document, path, 2))
        ? [pinned([...path, index], 'stickiness.enabled', 'its target group names MCP')]
        : [];
    }),
  );

/** Cloud Run, load balancers of GKE, App Engine, Container Apps and App Service. */
function services({ document, object }: Manifest): readonly Entry[] {
  const concerned = mentions(object);
  if (!concerned) return [];
  const evidence = 'the service that it is set for names MCP';
  return under(document, /^(?:run\.googleapis\.com\/sessionAffinity|session_affinity|sessionAffinity|stickySessions|clientAffinityEnabled)$/).flatMap(
    ({ path, value }): readonly Entry[] => {
      const key = String(path.at(-1));
      const inner = record(value);
      if (/^(?:run\.googleapis|clientAffinity|session_affinity)/.test(key)) return String(value) === 'true' ? [pinned(path, `${key}: true`, evidence)] : [];
      if (key === 'stickySessions') return inner.affinity === 'sticky' ? [pinned(path, 'stickySessions: sticky', evidence)] : [];
      const type = inner.affinityType ?? inner.type;
      if (typeof type !== 'string' || type === 'NONE') return [];
      return [{ ...pinned(path, `sessionAffinity: ${type}`, evidence), kind: type.startsWith('CLIENT_IP') ? 'address-hash' : 'client-affinity' }];
    },
  );
}
