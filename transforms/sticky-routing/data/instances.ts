import { counted, ON_DEMAND, type Instances } from '../instances.js';
import { workersIn } from '../workers.js';
import { containersOf, list, mentions, record, textOf, type Manifest, type Path } from './entries.js';

type Amount = Pick<Instances, 'amount' | 'words' | 'processes'>;
type Found = Omit<Instances, 'holder'> & { readonly path: Path; readonly holder?: string };

/** A number as it is written; anything else is no amount. */
const words = (value: unknown): string => (typeof value === 'number' || typeof value === 'string' ? String(value) : '');

const found = (path: Path, setting: string, amount: Amount | undefined, named: boolean, holder?: string): readonly Found[] =>
  amount === undefined ? [] : [{ path, setting, named, ...amount, ...(holder === undefined ? {} : { holder }) }];

/** Numbers of instances in manifests of clusters and platforms. `file` is the path of the manifest. */
export function instances(manifest: Manifest, file: string): readonly Found[] {
  if (manifest.kind !== '') return cluster(manifest);
  const { object } = manifest;
  if (/(?:^|\/)values[^/]*\.ya?ml$/.test(file)) return chart(object, file);
  if (object.Resources !== undefined) return cloudFormation(object);
  if (object.provider !== undefined && object.functions !== undefined)
    return found(['functions'], 'functions', ON_DEMAND, mentions(object.service, object.functions));
  if (/(?:^|\/)vercel\.json$/.test(file))
    return found(['functions'], 'functions', object.functions === undefined ? undefined : ON_DEMAND, mentions(object.functions));
  if (/(?:^|\/)fly[^/]*\.toml$/.test(file)) {
    const machines = record(object.http_service).min_machines_running;
    return found(['http_service', 'min_machines_running'], `min_machines_running = ${words(machines)}`, counted(machines), mentions(object.app));
  }
  if (/(?:^|\/)railway\.(?:json|toml)$/.test(file)) {
    const replicas = record(object.deploy).numReplicas;
    return found(['deploy', 'numReplicas'], `numReplicas: ${words(replicas)}`, counted(replicas), false);
  }
  return Array.isArray(object.services) ? render(object) : compose(object);
}

/** Workloads and autoscalers of Kubernetes, services of Knative. */
function cluster({ object, kind }: Manifest): readonly Found[] {
  const spec = record(object.spec);
  const { name, annotations } = record(object.metadata);
  const template = record(spec.template);
  const containers = containersOf(spec);
  if (kind === 'Deployment' || kind === 'StatefulSet' || kind === 'Rollout')
    return found(
      spec.replicas === undefined ? ['kind'] : ['spec', 'replicas'],
      spec.replicas === undefined ? `kind: ${kind}` : `replicas: ${words(spec.replicas)}`,
      counted(spec.replicas ?? 1),
      mentions(name, spec.selector, containers),
    );
  const limit = kind === 'HorizontalPodAutoscaler' ? 'maxReplicas' : kind === 'ScaledObject' ? 'maxReplicaCount' : undefined;
  if (limit !== undefined) return found(['spec', limit], `${limit}: ${words(spec[limit])}`, upTo(spec[limit]), mentions(name, spec.scaleTargetRef));
  if (kind !== 'Service' || !textOf(object.apiVersion).startsWith('serving.knative.dev/')) return [];
  const most = [annotations, record(template.metadata).annotations]
    .map((written) => record(written)['autoscaling.knative.dev/maxScale'])
    .find((value) => value !== undefined);
  return found(
    ['kind'],
    most === undefined ? 'kind: Service of Knative' : `maxScale: ${words(most)}`,
    most === undefined ? ON_DEMAND : upTo(most),
    mentions(name, containers),
  );
}

const upTo = (value: unknown): Amount | undefined => {
  const amount = counted(value);
  return amount?.amount === 'several' ? { ...amount, words: `up to ${amount.words}` } : amount;
};

/** Values of a chart. */
function chart(object: Readonly<Record<string, unknown>>, file: string): readonly Found[] {
  const named = mentions(file, object.nameOverride, object.fullnameOverride, record(object.image).repository);
  const { enabled, maxReplicas } = record(object.autoscaling);
  return enabled === true
    ? found(['autoscaling', 'maxReplicas'], `autoscaling.maxReplicas: ${words(maxReplicas)}`, upTo(maxReplicas), named)
    : found(['replicaCount'], `replicaCount: ${words(object.replicaCount)}`, counted(object.replicaCount), named);
}

/** Functions and services of SAM and CloudFormation. */
const cloudFormation = (object: Readonly<Record<string, unknown>>): readonly Found[] =>
  Object.entries(record(object.Resources)).flatMap(([name, written]) => {
    const { Type, Properties } = record(written);
    const path = ['Resources', name, 'Type'];
    if (Type === 'AWS::Serverless::Function' || Type === 'AWS::Lambda::Function')
      return found(path, `Type: ${Type}`, ON_DEMAND, mentions(name, record(Properties).FunctionName, record(Properties).Events), `The function \`${name}\``);
    const count = record(Properties).DesiredCount;
    return Type === 'AWS::ECS::Service'
      ? found(
          ['Resources', name, 'Properties', 'DesiredCount'],
          `DesiredCount: ${words(count)}`,
          counted(count),
          mentions(name, record(Properties).ServiceName),
          `The service \`${name}\``,
        )
      : [];
  });

/** Services of Render. */
const render = (object: Readonly<Record<string, unknown>>): readonly Found[] =>
  list(object.services).flatMap((service, index) => {
    const { name, numInstances, scaling } = record(service);
    const most = record(scaling).maxInstances;
    const holder = `The service \`${textOf(name)}\``;
    return most === undefined
      ? found(['services', index, 'numInstances'], `numInstances: ${words(numInstances)}`, counted(numInstances), mentions(name), holder)
      : found(['services', index, 'scaling', 'maxInstances'], `maxInstances: ${words(most)}`, upTo(most), mentions(name), holder);
  });

/** Services of Compose: replicas, and worker processes of their commands. */
const compose = (object: Readonly<Record<string, unknown>>): readonly Found[] =>
  Object.entries(record(object.services)).flatMap(([name, written]) => {
    const { image, build, container_name, scale, deploy, command } = record(written);
    const replicas = record(deploy).replicas ?? scale;
    const named = mentions(name, image, build, container_name);
    const holder = `The service \`${name}\``;
    const line = Array.isArray(command) ? command.map(String).join(' ') : textOf(command);
    const workers = workersIn(line);
    return [
      ...found(
        ['services', name, ...(record(deploy).replicas === undefined ? ['scale'] : ['deploy', 'replicas'])],
        `replicas: ${words(replicas)}`,
        counted(replicas),
        named,
        holder,
      ),
      ...found(['services', name, 'command'], workers?.text ?? '', counted(workers?.count, 'worker processes'), named, holder),
    ];
  });
