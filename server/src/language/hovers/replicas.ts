import { say } from '../../util/say.ts';
import { count } from '../../util/words.ts';
import { minReplicasOf } from '../../disruption/autoscaling.ts';
import { compileLabelSelector } from '../../kubernetes/labels.ts';
import { workloadKey } from '../../kubernetes/names.ts';
import type { CronJob, Deployment, HorizontalPodAutoscaler, Job } from '../../kubernetes/objects.ts';
import { replicasOf } from '../../kubernetes/pod-template.ts';
import { autoscalers } from '../index/autoscalers.ts';
import { code } from '../connection/markdown.ts';
import { isRunning } from '../index/running-pods.ts';
import { labelsOf, podsSelectedIn } from '../index/selection.ts';
import { evictionHover } from './budget.ts';
import { factLink } from './links.ts';
import { type HoverPlace, paragraphs } from './place.ts';

const scaled: ReadonlySet<string> = new Set(['Deployment', 'ReplicaSet', 'ReplicationController', 'StatefulSet']);
const ofJobs: ReadonlySet<string | number | undefined> = new Set([
  'parallelism',
  'completions',
  'suspend',
  'completionMode',
]);

/** How many pods a workload has: who makes them, and who decides how many. */
export function replicasHover(place: HoverPlace): string | undefined {
  const { fact, path, facts } = place;
  const field = path.at(-1);
  const isReplicas = scaled.has(fact.kind) && path.length === 2 && path[0] === 'spec' && field === 'replicas';
  const job = fact.kind === 'Job' ? ['spec'] : ['spec', 'jobTemplate', 'spec'];
  const isOfJob =
    (fact.kind === 'Job' || fact.kind === 'CronJob') &&
    ofJobs.has(field) &&
    (path.slice(0, -1).join('/') === job.join('/') || (field === 'suspend' && path.length === 2));
  if (!isReplicas && !isOfJob) return undefined;
  return paragraphs(
    isReplicas ? makersText(place) : jobText(place),
    isReplicas ? autoscalerText(place) : '',
    runningText(place),
    isReplicas ? evictionHover(fact, facts) : '',
  );
}

function makersText({ fact: { kind, name, object } }: HoverPlace): string {
  const pods = count(replicasOf(object), 'pod');
  switch (kind) {
    case 'Deployment':
      return say`**${pods}**, made by the ReplicaSet of each revision; the Deployment controller makes that one, and shifts pods to it during a rollout${surgeText(object)}.`;
    case 'StatefulSet':
      return replicasOf(object) === 0
        ? `**${pods}**`
        : say`**${pods}**, made by the StatefulSet controller: ${code(`${name}-0`)} to ${code(`${name}-${replicasOf(object) - 1}`)}. While one waits for a node, the ones after it are not made, unless \`podManagementPolicy\` is \`Parallel\`.`;
    default:
      return say`**${pods}**, made by the ${kind} controller.`;
  }
}

/** Source: SetDefaults_Deployment in pkg/apis/apps/v1/defaults.go */
function surgeText({ spec }: Deployment): string {
  if (spec?.strategy?.type === 'Recreate') return say`, when all old ones are gone`;
  const surge = spec?.strategy?.rollingUpdate?.maxSurge ?? '25%';
  return say`, with up to ${code(String(surge))} more meanwhile, which need room too`;
}

function autoscalerText({ fact: { kind, namespace, name }, facts }: HoverPlace): string {
  const scaler = autoscalers(facts).get(workloadKey(kind, namespace, name));
  if (scaler === undefined) return say`No autoscaler that is declared here decides it.`;
  const autoscaler = scaler.object as HorizontalPodAutoscaler;
  return say`${scaler.kind} ${factLink(scaler, facts)} decides: between ${minReplicasOf(autoscaler)} and ${autoscaler.spec.maxReplicas}. What is written here counts only until it does, and is written over what it decided at each \`kubectl apply\`.`;
}

function jobText({ fact }: HoverPlace): string {
  const spec = fact.kind === 'CronJob' ? (fact.object as CronJob).spec.jobTemplate.spec : (fact.object as Job).spec;
  if (spec?.suspend === true || (fact.kind === 'CronJob' && (fact.object as CronJob).spec.suspend === true)) {
    return say`**No pods** while it is suspended.`;
  }
  const pods = count(replicasOf(fact.object), 'pod');
  const until =
    spec?.completions === undefined ? say`until one has succeeded` : say`until ${spec.completions} have succeeded`;
  return say`**${pods} at a time**, made by the Job controller, ${until}.`;
}

function runningText({ fact, facts }: HoverPlace): string {
  const labels = labelsOf(fact);
  const written = (fact.object as Deployment).spec?.selector;
  const selector = fact.kind === 'ReplicationController' || written === undefined ? { matchLabels: labels } : written;
  const compiled = compileLabelSelector(selector);
  if (compiled.isEmpty) return '';
  const running = podsSelectedIn(facts, fact.namespace, compiled).filter(isRunning).length;
  return running === 0 ? '' : say`${count(running, 'such pod')} ${running === 1 ? 'runs' : 'run'} now.`;
}
