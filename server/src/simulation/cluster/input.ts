import { count, list } from '../../util/words.ts';
import type { Edit } from '../../util/edits.ts';
import { say, sayUnstopped } from '../../util/say.ts';
import type { Gates } from '../../kubernetes/feature-gates.ts';
import type { JsonObject } from '../../kubernetes/json.ts';
import { keyOfObject, type WorkloadKey } from '../../kubernetes/names.ts';
import type { Declared, KubeObject, Node, Taint } from '../../kubernetes/objects.ts';
import type { Unseen } from '../../kubernetes/unseen.ts';
import type { AdmissionPlugin } from '../../admission/pods/hard-anti-affinity.ts';
import type { SoFar } from '../../report-model/so-far.ts';
import type { KnownPods } from './known-pods.ts';
import type { KubernetesChoice, WantedKubernetes } from './choose-release.ts';

/** What autoscalers add to runs; what does it is a `Grower`. */
export interface Growing {
  /** From when a node is asked for until pods can be placed on it. */
  readonly seconds: number;
  /** The nodes of a cluster with these objects, of which none is a node; others stand for what no object says. */
  assumedBeside(objects: readonly KubeObject[], others: readonly Node[]): readonly Node[] | undefined;
}

/** Everything a simulation is made from. */
export interface SimulationInput {
  /** Objects of open and saved files, in the order of the files. */
  readonly workspace: readonly Declared[];
  /** The workspace as it is written, where what is rolled out of it stands there as it is stored. */
  readonly written?: readonly Declared[] | undefined;
  /** Where files were edited since what it is compared with; left out where nobody knows. */
  readonly edits?: readonly Edit[] | undefined;
  /** Names of sources that were edited since then, and are not rendered. */
  readonly unrendered?: readonly string[] | undefined;
  /** Whether what was edited is seen on both sides, so that what is not seen is as it was. */
  readonly seesAllEdits?: boolean | undefined;
  /** Objects of the cluster snapshot; empty without one. */
  readonly snapshot: readonly Declared[];
  /** Objects of kinds that nothing decodes: definitions of custom kinds, and what is of these kinds. */
  readonly others?: readonly JsonObject[] | undefined;
  /** The time of day, in milliseconds since 1970: a snapshot that says when it was taken has an age then. */
  readonly now?: number;
  /** What is said of the nodes that stand in when neither of the two names one. */
  readonly assumedNodes?: AssumedNodes;
  /** The nodes that stand in, where it is decided which they are. */
  readonly standIns?: readonly Node[] | undefined;
  /** Whether the nodes among the objects are assumed ones too: an operation has changed those. */
  readonly nodesAreAssumed?: boolean;
  /** The Kubernetes whose behaviour is reproduced. Left out: `auto`. */
  readonly kubernetes?: WantedKubernetes;
  /** Feature gates that are switched otherwise than by default. */
  readonly featureGates?: Gates;
  /** The version of the API server, where a snapshot names it: `v1.35.2`. */
  readonly serverVersion?: string | undefined;
  /** Admission plugins of the API server that are on besides those that are by default. */
  readonly admissionPlugins?: readonly AdmissionPlugin[];
  /** Whether what is used as a patch is known, and not among the objects. */
  readonly knowsPatches?: boolean;
  /** The choice that was made before an operation changed the nodes on which it rests. */
  readonly chosen?: KubernetesChoice;
  /** What was asked for and could not be used, so that the answer rests on less than its reader may think. */
  readonly missing?: readonly Missing[];
  /** What makes pods, or may, and is not among the objects. */
  readonly unseen?: readonly Unseen[];
  /** Names of the tools that have rendered without a sandbox of the operating system. */
  readonly withoutSandbox?: readonly string[];
  /** Which of several versions of the same was taken; left out where there is one. */
  readonly target?: { readonly name: string; readonly of: readonly string[] };
  /** The folders that the nodes of the workspace come from; more than one may be more than one cluster. */
  readonly nodePlaces?: readonly { readonly folder: string; readonly nodes: number }[];
  /** The size that autoscaled workloads were given; left out where their number is the one that is written. */
  readonly autoscaled?: AutoscaledSize;
  /** When the clock of a run starts, and how long Jobs take. */
  readonly calendar?: Calendar | undefined;
  /** How long pods of a roll-out run before they are ready, in seconds; left out: the delay of their readiness probe. */
  readonly readyAfter?: number | undefined;
  /** What other inputs of the same workspace have in common with it. */
  readonly known?: KnownPods;
  /** What autoscalers add where something stays pending; left out where there is no pool, or they are turned off. */
  readonly growth?: Growing | undefined;
  /** What stands in the cluster because it was written earlier; left out where only a snapshot says what runs. */
  readonly earlierCluster?: EarlierCluster | undefined;
  /** The input that operations made this one of. */
  readonly basis?: SimulationInput | undefined;
}

/** A cluster that has settled: its objects and pods are among those of the snapshot. */
export interface EarlierCluster {
  /** What was written, to be read after "compared with": `git HEAD`. */
  readonly since: string;
  /** By `keyOfObject`, as it was written: what was applied before, of which a change is the difference. */
  readonly written: ReadonlyMap<WorkloadKey, KubeObject>;
  /** Whether a snapshot says what else there is. */
  readonly hasSnapshot: boolean;
}

/** Which of the sizes that its autoscaler allows a workload has. */
export type AutoscaledSize = 'minimum' | 'maximum' | 'present';

export interface Calendar {
  /** Milliseconds since 1970 at second 0; null where nobody says, and then no schedule is ever due. */
  readonly start: number | null;
  /** The same as a clock shows it in the zone that `start` is written in. */
  readonly clockStart?: number;
  /** CronJobs start until then, in seconds. */
  readonly until: number;
  /** How long the pods of Jobs and CronJobs run, in seconds, by `workloadKey`. */
  readonly lasts: ReadonlyMap<WorkloadKey, number>;
}

export interface Missing {
  /** A short line: `the cluster snapshot cluster.yaml cannot be used`. */
  readonly text: string;
  /** Why, and what that means. */
  readonly detail: string;
  readonly about?: 'snapshot';
}

/**
 * Pools of nodes, as somebody describes them. With a number in any of them these are the nodes; without one the first
 * says how large each node is, and how many and what kinds there are is worked out from what pods ask for.
 */
export type AssumedNodes = readonly AssumedPoolSize[];

/** Equal nodes, in three zones. Amounts are quantities as in `status.allocatable`. */
export interface AssumedPoolSize {
  readonly count?: number | undefined;
  readonly cpu?: string | number | undefined;
  readonly memory?: string | number | undefined;
  readonly pods?: number | undefined;
  readonly labels?: Readonly<Record<string, string>> | undefined;
  readonly taints?: readonly Taint[] | undefined;
  /** Amounts of other resources. */
  readonly resources?: Readonly<Record<string, string | number>> | undefined;
}

/** What arrives. A workload is named by kind, namespace and name, and by its file where two share that name. */
export type Scenario =
  | { readonly kind: 'workspace' }
  | { readonly kind: 'file'; readonly uri: string }
  | {
      readonly kind: 'workload';
      readonly workloadKind: string;
      readonly namespace: string;
      readonly name: string;
      readonly uri?: string | undefined;
    };

export interface SimulationOptions {
  /** Draws among ties as the real scheduler does; without it the bytewise smallest name is taken. */
  readonly seed?: number;
  /**
   * Question 5 of the report costs a decision for each workload and node. It is answered only while there are at most
   * this many of those. Default 2,000; 0 leaves it out.
   */
  readonly threatLimit?: number;
  /**
   * A simulation ends after so many attempts to place a pod: a controller and a pod that cannot keep its place may
   * replace and evict for ever. Default 1,000,000, which others stay far below.
   */
  readonly attemptLimit?: number;
  readonly progress?: Progress;
  /** Told how large the run is, before anything is decided; what it throws ends the run. */
  readonly begins?: (size: RunSize) => void;
}

/** Of those who wait for a run. */
export type Watch = Pick<SimulationOptions, 'progress' | 'begins'>;

/** What a run decides about. */
export interface RunSize {
  readonly nodes: number;
  readonly arriving: number;
  /** What it is expected to take, of a usual processor. */
  readonly seconds: number;
}

/**
 * Told what is being done, often: after each decision. Both are worked out only for whoever asks.
 * @param soFar the part of the answer that is known; left out where the run is not the one that is asked for
 */
export type Progress = (text: () => string, soFar?: () => SoFar) => void;

/** For runs that something else is compared with. */
export function ofAnotherRun({ progress, begins }: Watch): Watch {
  return {
    ...(begins && { begins }),
    ...(progress && {
      progress: (text) => {
        progress(text);
      },
    }),
  };
}

/** The scenario names a workload or a file that is not there. */
export class UnknownScenarioError extends Error {
  override readonly name = 'UnknownScenarioError';
}

/** What a comparison says of sources that count as unchanged because they were not rendered then. */
export function notComparedSources(
  sources: readonly { readonly name: string; readonly why: string }[],
): readonly Missing[] {
  const [first] = sources;
  if (first === undefined) return [];
  const names = list(sources.map(({ name }) => name));
  return [
    {
      text: count(sources.length, 'source is not compared', 'sources are not compared'),
      detail:
        sources.length === 1
          ? say`${names} was not rendered as it was committed, so it counts as unchanged: ${sayUnstopped(first.why)}.`
          : say`${names} were not rendered as they were committed, so they count as unchanged: ${sayUnstopped(first.why)}.`,
    },
  ];
}

/** What a comparison says of objects that count as unchanged because what writes them may not be rendered now. */
export function notComparedObjects(objects: readonly Declared[]): readonly Missing[] {
  const names = list(
    objects.map(({ object }) => keyOfObject(object).replace('//', '/')),
    4,
  );
  return [
    {
      text: count(objects.length, 'object is not compared', 'objects are not compared'),
      detail: say`Not everything could be rendered now, and what was not may still write them, so they count as unchanged: ${names}.`,
    },
  ];
}

/** What a comparison says of files that count as unchanged because they cannot be compared. */
export function notComparedFiles(amount: number): readonly Missing[] {
  if (amount === 0) return [];
  return [
    {
      text: count(amount, 'file is not compared', 'files are not compared'),
      detail: say`What was committed of them is not known as text, so they count as unchanged.`,
    },
  ];
}
