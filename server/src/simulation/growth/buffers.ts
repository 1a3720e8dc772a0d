import { say } from '../../util/say.ts';
import { isObject, valueAt } from '../../util/values.ts';
import { readAmounts } from '../../autoscaling/karpenter/objects.ts';
import { decodeObject } from '../../kubernetes/decode/index.ts';
import { defaultPod } from '../../kubernetes/defaults/index.ts';
import { nameOf, namespaceOf } from '../../kubernetes/names.ts';
import type { KubeObject, Pod, PodSpec } from '../../kubernetes/objects.ts';
import { podRequests } from '../../kubernetes/pod-resources.ts';
import { podTemplateOf, replicasOf } from '../../kubernetes/pod-template.ts';
import { isPoolObject, type PoolObject } from '../../kubernetes/pool-kinds.ts';
import { unschedulable } from './cluster-at-end.ts';

/** A CapacityBuffer as autoscalers see it: pods that are not there, for which they keep room. */
export interface Buffer {
  readonly name: string;
  readonly namespace: string;
  /** The workload whose pods it holds room for; undefined for one that names a PodTemplate. */
  readonly workload: { readonly kind: string; readonly name: string } | undefined;
  readonly pods: readonly Pod[];
}

/** The only strategy that there is so far. Source: CapacityBuffer, autoscaling.x-k8s.io/v1beta1 */
const activeCapacity = 'buffer.x-k8s.io/active-capacity';
/** Room for more pods is not looked for. */
const mostPods = 1000;

const podStem = 'capacity-buffer-';

/** `CapacityBuffer shop/room` of a pod that it holds room for. */
export function bufferTitle(key: string): string {
  return say`CapacityBuffer ${key.replace(`/${podStem}`, '/').replace(/-\d+$/, '')}`;
}

/** The buffers among some objects; those of another strategy, or whose template is not there, hold nothing that is known. */
export function buffersIn(objects: readonly KubeObject[]): readonly Buffer[] {
  const buffers = objects.filter(
    (object): object is PoolObject => isPoolObject(object) && object.kind === 'CapacityBuffer',
  );
  return buffers.flatMap((buffer) => {
    const at = (...path: readonly string[]): unknown => valueAt(buffer.written, ['spec', ...path]);
    const namespace = namespaceOf(buffer);
    const find = (kind: unknown, name: unknown): KubeObject | undefined =>
      objects.find((each) => each.kind === kind && nameOf(each) === name && namespaceOf(each) === namespace);
    const isOfWorkload = at('scalableRef') !== undefined;
    const held = isOfWorkload
      ? find(at('scalableRef', 'kind'), at('scalableRef', 'name'))
      : find('PodTemplate', at('podTemplateRef', 'name'));
    if (held === undefined || (at('provisioningStrategy') ?? activeCapacity) !== activeCapacity) return [];
    const template = isOfWorkload ? podTemplateOf(held) : writtenTemplate(held);
    if (template?.spec === undefined) return [];
    const amount = Math.min(mostPods, amountOf(at(), template.spec, isOfWorkload ? replicasOf(held) : 0));
    const name = nameOf(buffer);
    return [
      {
        name,
        namespace,
        workload: isOfWorkload ? { kind: held.kind ?? '', name: nameOf(held) } : undefined,
        pods: Array.from({ length: amount }, (_, index) => {
          const metadata = {
            name: `${podStem}${name}-${index + 1}`,
            namespace,
            labels: template.metadata?.labels ?? {},
          };
          const pod = defaultPod({ apiVersion: 'v1', kind: 'Pod', metadata, spec: template.spec! });
          return { ...pod, status: { phase: 'Pending', conditions: unschedulable } };
        }),
      },
    ];
  });
}

/** Of a PodTemplate, which is kept as it is written. */
function writtenTemplate(object: KubeObject): Pod | undefined {
  const template = isPoolObject(object) ? object.written['template'] : undefined;
  if (!isObject(template)) return undefined;
  return decodeObject({ ...template, apiVersion: 'v1', kind: 'Pod' }).object;
}

/** `replicas`, or `percentage` of the workload's: the larger; no more than `limits` have room for, and with these alone as many. */
function amountOf(spec: unknown, pod: PodSpec, replicas: number): number {
  const number = (field: string): number | undefined => {
    const value = valueAt(spec, [field]);
    return typeof value === 'number' ? value : undefined;
  };
  const percentage = number('percentage');
  const share = percentage === undefined ? undefined : Math.ceil((percentage * replicas) / 100);
  const wanted = Math.max(number('replicas') ?? -1, share ?? -1);
  const limits = valueAt(spec, ['limits']);
  const requests = podRequests(pod);
  const within = isObject(limits)
    ? [...readAmounts(limits)].flatMap(([resource, { nanos }]) => {
        const each = requests.get(resource)?.nanos ?? 0n;
        return each > 0n ? [Number(nanos / each)] : [];
      })
    : [];
  const most = Math.min(...within);
  if (wanted < 0) return Number.isFinite(most) ? most : 0;
  return Math.min(wanted, most);
}
