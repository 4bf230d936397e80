import type { Span } from '../../../src/core/index.js';
import { blocksOf, type Block } from '../blocks.js';
import { counted, ON_DEMAND, type Instances } from '../instances.js';
import type { Setting } from '../setting.js';
import { isMcpPath, saysMcp, type Kind } from '../words.js';

/** An attribute that pins clients, as it is written in a resource. */
type Attribute = readonly [RegExp, (value: string) => Kind];

const pins = (): Kind => 'client-affinity';
const byAddress = (): Kind => 'address-hash';

const TERRAFORM: readonly Attribute[] = [
  [/\bsession_affinity\s*=\s*"(?!NONE"|None")([A-Za-z_]+)"/g, (value) => (value.startsWith('CLIENT_IP') ? 'address-hash' : 'client-affinity')],
  [/\b(?:session_affinity|client_affinity_enabled)\s*=\s*(true)\b/g, pins],
  [/\bcookie_based_affinity\s*=\s*"(Enabled)"/g, pins],
  [/\bload_distribution\s*=\s*"(SourceIP\w*)"/g, byAddress],
];

const BICEP: readonly Attribute[] = [
  [/\bclientAffinityEnabled\s*:\s*(true)\b/g, pins],
  [/\baffinity\s*:\s*'(sticky)'/g, pins],
  [/\bcookieBasedAffinity\s*:\s*'(Enabled)'/g, pins],
  [/\bloadDistribution\s*:\s*'(SourceIP\w*)'/g, byAddress],
];

/** Resources that name MCP, with the blocks below them. */
function resources(text: string): readonly { readonly block: Block; readonly inner: readonly Block[]; readonly holder: string }[] {
  const blocks = blocksOf(text, 'slashes');
  return blocks
    .filter((block) => block.words[0] === 'resource' && saysMcp(text.slice(block.start, block.end)))
    .map((block) => ({
      block,
      inner: blocks.filter((other) => other.start > block.start && other.end <= block.end),
      // Bicep names a resource and gives its type, Terraform its type and a name.
      holder: `The resource \`${(block.words.includes('=') ? block.words.slice(1, 2) : block.words.slice(1)).join('.').replace(/"/g, '')}\``,
    }));
}

/** Attributes of a resource and of the blocks in it; comments are blanked out there. */
function attributes(blocks: readonly Block[], holder: string, known: readonly Attribute[]): readonly Setting[] {
  return blocks.flatMap((block) =>
    known.flatMap(([pattern, kindOf]) =>
      [...block.own.matchAll(pattern)].map((match): Setting => {
        const start = block.bodyStart + match.index;
        return {
          kind: kindOf(match[1] ?? ''),
          start,
          end: start + match[0].length,
          data: { holder, setting: match[0].replace(/\s+/g, ' ') },
          evidence: 'its resource names MCP',
        };
      }),
    ),
  );
}

/** Load balancers and services of AWS, Google Cloud, Azure and DigitalOcean in Terraform. A resource counts when its name or body names MCP. */
export const terraform = (text: string): readonly Setting[] =>
  resources(text).flatMap(({ block, inner, holder }): readonly Setting[] => [
    ...inner
      .filter(({ words, own }) => /^(?:stickiness|sticky_sessions)$/.test(words[0] ?? '') && !/\benabled\s*=\s*false\b|\btype\s*=\s*"none"/.test(own))
      .map(({ words, start, end, own }): Setting => ({
        kind: 'client-affinity',
        start,
        end,
        data: { holder, setting: `${words[0] ?? ''}, ${/\btype\s*=\s*"([^"]*)"/.exec(own)?.[1] ?? 'on'}` },
        evidence: 'its resource names MCP',
      })),
    ...attributes([block, ...inner], holder, TERRAFORM),
    ...inner.flatMap((check): readonly Setting[] => {
      const asked = /^(?:health_check|https?2?_health_check)$/.test(check.words[0] ?? '') ? /\b(?:request_)?path\s*=\s*"([^"]*)"/.exec(check.own) : null;
      const path = asked?.[1];
      if (asked === null || path === undefined || !isMcpPath(path)) return [];
      const start = check.bodyStart + asked.index;
      return [
        { kind: 'probe-on-endpoint', start, end: start + asked[0].length, data: { holder, path }, evidence: 'it asks with GET, and the path is the endpoint' },
      ];
    }),
  ]);

/** Numbers of instances in Terraform, of the same resources. */
export const terraformInstances = (text: string): readonly (Instances & Span)[] =>
  resources(text).flatMap(({ block, inner, holder }) => [
    ...(block.words[1] === '"aws_lambda_function"'
      ? [{ ...ON_DEMAND, holder, setting: 'aws_lambda_function', named: true, start: block.start, end: block.bodyStart }]
      : []),
    ...[block, ...inner].flatMap(({ own, bodyStart }) =>
      [...own.matchAll(/\b(?:desired_count|replicas|max_replicas|max_instance_count)\s*=\s*(\d+)/g)].flatMap((match) => {
        const amount = counted(match[1]);
        const start = bodyStart + match.index;
        return amount === undefined ? [] : [{ ...amount, holder, setting: match[0], named: true, start, end: start + match[0].length }];
      }),
    ),
  ]);

/** Services of Azure in Bicep. */
export const bicep = (text: string): readonly Setting[] => resources(text).flatMap(({ block, inner, holder }) => attributes([block, ...inner], holder, BICEP));
