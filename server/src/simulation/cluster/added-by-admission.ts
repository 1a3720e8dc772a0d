import { namespaceOf, type WorkloadKey, workloadKey } from '../../kubernetes/names.ts';
import type { Declared, KubeObject, Pod } from '../../kubernetes/objects.ts';
import { podTemplateOf, type WorkloadTemplate } from '../../kubernetes/pod-template.ts';
import { getOrInsert } from '../../util/maps.ts';
import { own } from '../../util/own.ts';
import { controllerOf, isOfEarlierTemplate } from './owners.ts';

type PodSpec = NonNullable<Pod['spec']>;
type Container = PodSpec['containers'][number];

/** What pods get besides their template: what decides where they may run, and how much they ask for. */
interface Addition extends Required<
  Pick<PodSpec, 'containers' | 'initContainers' | 'schedulingGates' | 'nodeSelector' | 'tolerations'>
> {
  /** What a VerticalPodAutoscaler lets containers ask for, by their names. */
  readonly resources: ReadonlyMap<string, Container['resources']>;
}

/** A workload with the pods that it has. */
interface WithPods {
  readonly existing: readonly Declared<Pod>[];
}

const lists = ['containers', 'initContainers', 'schedulingGates'] as const;

/** What makes pods of a template that stays as it is, or says of which one they are. */
const makers: ReadonlySet<string> = new Set(['ReplicaSet', 'StatefulSet', 'DaemonSet', 'Job']);

/** It writes one of these on pods whose requests it has set. Source: kubernetes/autoscaler vertical-pod-autoscaler/pkg/utils/annotations */
const ofVerticalAutoscaler = ['vpaUpdates', 'vpaInPlaceUpdated'];

/**
 * What something in a cluster adds to pods when they are made: sidecars of a service mesh, gates of a queue, node
 * selectors and tolerations. No manifest says it, and running pods show it beside the template that they were made from.
 */
export class AddedByAdmission {
  readonly #snapshot: readonly Declared[];
  #stored: ReadonlyMap<WorkloadKey, KubeObject> | undefined;
  /** By the pods of a workload: it may make thousands more. */
  readonly #known = new WeakMap<WithPods['existing'], Addition | null>();

  /** @param snapshot the objects of a cluster */
  constructor(snapshot: readonly Declared[]) {
    this.#snapshot = snapshot;
  }

  /** What the pods of a workload get, as its newest one shows; null for nothing. */
  of({ existing }: WithPods): Addition | null {
    return getOrInsert(this.#known, existing, () => {
      let newest: Pod | undefined;
      for (const { object: pod } of existing) {
        if (newest === undefined || createdAt(pod) > createdAt(newest)) newest = pod;
      }
      return newest === undefined ? null : this.#additionTo(newest);
    });
  }

  /** A new pod of a workload, with what is added to it. */
  withAddition(pod: Pod, workload: WithPods | undefined): Pod {
    const addition = workload === undefined ? null : this.of(workload);
    const { spec } = pod;
    if (addition === null || spec === undefined) return pod;
    const more = lists.flatMap((list) => {
      const missing = without(addition[list], spec[list] ?? []);
      return missing.length === 0 ? [] : [[list, [...(spec[list] ?? []), ...missing]] as const];
    });
    const nodeSelector = { ...addition.nodeSelector, ...spec.nodeSelector };
    const withMore: PodSpec = { ...spec, ...Object.fromEntries(more) };
    const tolerations = [...(spec.tolerations ?? []), ...unlike(addition.tolerations, spec.tolerations ?? [])];
    const containers = withMore.containers.map((each) => {
      const resources = addition.resources.get(each.name);
      return resources === undefined ? each : { ...each, resources };
    });
    return {
      ...pod,
      spec: {
        ...withMore,
        containers,
        ...(Object.keys(nodeSelector).length === 0 ? {} : { nodeSelector }),
        ...(tolerations.length === 0 ? {} : { tolerations }),
      },
    };
  }

  #additionTo(pod: Pod): Addition | null {
    const { spec } = pod;
    const template = this.#templateOf(pod);
    if (spec === undefined || template?.spec === undefined) return null;
    const written = template.spec;
    const nodeSelector = Object.fromEntries(
      Object.entries(spec.nodeSelector ?? {}).filter(([key]) => !Object.hasOwn(written.nodeSelector ?? {}, key)),
    );
    const addition: Addition = {
      containers: without(spec.containers, written.containers),
      initContainers: without(spec.initContainers ?? [], written.initContainers ?? []),
      schedulingGates: without(spec.schedulingGates ?? [], written.schedulingGates ?? []),
      nodeSelector,
      // Kubernetes' own, of how a node fares, are known.
      tolerations: unlike(spec.tolerations ?? [], written.tolerations ?? []).filter(
        ({ key = '' }) => key !== '' && !key.startsWith('node.kubernetes.io/'),
      ),
      resources: isResized(pod) ? resourcesUnlike(spec.containers, written.containers) : new Map(),
    };
    const { resources, ...others } = addition;
    const isNothing = resources.size === 0 && Object.values(others).every((each) => Object.keys(each).length === 0);
    return isNothing ? null : addition;
  }

  /** The template that a pod was made from, where that is known. */
  #templateOf(pod: Pod): WorkloadTemplate | undefined {
    const owner = controllerOf(pod);
    if (owner === undefined || !makers.has(owner.kind)) return undefined;
    this.#stored ??= new Map(
      this.#snapshot.flatMap(({ object }) =>
        makers.has(object.kind ?? '')
          ? [[workloadKey(object.kind ?? '', namespaceOf(object), object.metadata?.name ?? ''), object] as const]
          : [],
      ),
    );
    const maker = this.#stored.get(workloadKey(owner.kind, namespaceOf(pod), owner.name));
    return maker === undefined || isOfEarlierTemplate(maker, pod) ? undefined : podTemplateOf(maker);
  }
}

function isResized({ metadata }: Pod): boolean {
  return ofVerticalAutoscaler.some((name) => own(metadata?.annotations, name) !== undefined);
}

/** Of containers whose template asks for other amounts. */
function resourcesUnlike(containers: readonly Container[], written: readonly Container[]): Addition['resources'] {
  const before = new Map(written.map(({ name, resources }) => [name, JSON.stringify(resources?.requests ?? {})]));
  return new Map(
    containers.flatMap(({ name, resources }) => {
      const asked = before.get(name);
      return asked === undefined || asked === JSON.stringify(resources?.requests ?? {})
        ? []
        : [[name, resources] as const];
    }),
  );
}

function createdAt({ metadata }: Pod): string {
  return metadata?.creationTimestamp ?? '';
}

/** Those that are not among others. */
function unlike<Item>(items: readonly Item[], others: readonly Item[]): readonly Item[] {
  const known = new Set(others.map((each) => JSON.stringify(each)));
  return items.filter((each) => !known.has(JSON.stringify(each)));
}

/** Those whose names are not among others. */
function without<Item extends { readonly name?: string }>(
  items: readonly Item[],
  others: readonly Item[],
): readonly Item[] {
  const names = new Set(others.map(({ name }) => name));
  return items.filter(({ name }) => !names.has(name));
}
