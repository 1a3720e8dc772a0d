import { say } from '../../util/say.ts';
import { list } from '../../util/words.ts';
import type { Position } from 'vscode-languageserver';
import { type ApiTypes, minorsWithField } from '../../kubernetes/api/index.ts';
import type { Path } from '../../kubernetes/json.ts';
import { podTemplatePath } from '../../kubernetes/pod-template.ts';
import type { ManifestFile, ManifestObject } from '../../manifests/manifest.ts';
import type { Facts } from '../index/facts.ts';
import { fieldTitle } from '../field-docs/field-types.ts';
import { fieldWords } from '../field-docs/field-words.ts';
import type { Kind } from '../index/kinds.ts';
import { kubernetesFor } from '../index/kubernetes-version.ts';
import { plain } from '../connection/markdown.ts';
import { defaultSettings, type Settings } from '../settings/settings.ts';
import { typedPlace } from '../completion/typed-place.ts';
import { budgetHover, evictionHover } from './budget.ts';
import { claimNameHover } from './claim-name.ts';
import { deadlineHover } from './deadline.ts';
import { devicesHover } from './devices.ts';
import { gatesHover } from './gates.ts';
import { graceHover } from './grace.ts';
import { hostNetworkHover } from './host-network.ts';
import { hostPortHover } from './host-port.ts';
import { limitRangeHover } from './limit-range.ts';
import { bufferHover, machineGroupHover, nodeClassHover, otherClassHover } from './machine-groups.ts';
import { namespaceHover } from './namespace.ts';
import { nodeNameHover } from './node-name.ts';
import { nodePoolHover } from './node-pool.ts';
import { nodeHover } from './node.ts';
import { nodeSelectorHover } from './node-selection.ts';
import {
  type Answer,
  type HoverPlace,
  isHeading,
  isText,
  type ManifestHover,
  paragraphs,
  startsWith,
} from './place.ts';
import { affinityHover } from './pod-affinity.ts';
import { classHover, priorityHover } from './priority.ts';
import { quotaHover } from './quota.ts';
import { replicasHover } from './replicas.ts';
import { claimHover, containerClaimsHover, resourceClaimsHover } from './resource-claims.ts';
import { resourcesHover } from './resources.ts';
import { containerRestartHover } from './restart-policy.ts';
import { rollOutHover } from './roll-out.ts';
import { runtimeClassHover } from './runtime-class.ts';
import { schedulerConfigurationHover } from './scheduler-configuration.ts';
import { schedulerNameHover } from './scheduler-name.ts';
import { selectorHover } from './selector.ts';
import { spreadHover } from './spread.ts';
import { tolerationsHover } from './tolerations.ts';
import { documentAtLine, offsetInDocument, placedRange } from '../../manifests/text-positions.ts';

export { appliedHover, withApplied } from './applied.ts';

export function hover(
  file: ManifestFile,
  position: Position,
  facts: Facts,
  settings: Settings = defaultSettings,
  isBesideSchema = false,
): ManifestHover | null {
  const placed = documentAtLine(file.documents, position.line);
  const located = placed?.document.at(offsetInDocument(placed, position));
  if (placed === undefined || located === null || located === undefined) return null;
  const fact = facts.factOf(file.uri, placed.index, located.object);
  if (fact === undefined) return null;
  const { release } = kubernetesFor(facts, settings);
  const text = textAt({ fact, path: located.path, facts, release, settings });
  const { types } = release;
  // What a field is for says the schema of another server too.
  const words = isBesideSchema ? '' : wordsText(types, located.object, located.path);
  const title = isHeading(located.path) ? '' : fieldTitle(types, located.object, located.path);
  if (!isText(text) && words === '') return null;
  const value = paragraphs(title, text, words);
  return { contents: { kind: 'markdown', value }, range: placedRange(placed, located.range) };
}

/** What a field is for, in a sentence; of an entry of a map, what the map is for. Of another minor's field, which have it. */
function wordsText(types: ApiTypes, object: ManifestObject, path: Path): string {
  const place = typedPlace(types, object, path);
  if (place === undefined) {
    const minors = minorsWithField(object.apiVersion, object.kind, path);
    return minors.length === 0 ? '' : say`This field exists in Kubernetes ${list(minors)} only.`;
  }
  const words = fieldWords(place.field);
  if (words === undefined) return '';
  return say`${plain(words.text)}${words.docs === '' ? '' : say` [Kubernetes documentation](${words.docs})`}`;
}

/** What answers for objects that make no pods. */
const kindAnswers: ReadonlyMap<Kind, Answer> = new Map<Kind, Answer>([
  ['PriorityClass', ({ fact, facts }) => classHover(fact, facts)],
  [
    'PodDisruptionBudget',
    ({ fact, path, facts }) => (isHeading(path) || path[0] === 'spec' ? budgetHover(fact, facts) : undefined),
  ],
  ['ResourceQuota', quotaHover],
  ['LimitRange', limitRangeHover],
  ['Node', nodeHover],
  ['NodePool', nodePoolHover],
  ['EC2NodeClass', nodeClassHover],
  ['AKSNodeClass', otherClassHover],
  ['NodeClass', otherClassHover],
  ['ComputeClass', otherClassHover],
  ['CapacityBuffer', bufferHover],
  ['MachineDeployment', machineGroupHover],
  ['MachineSet', machineGroupHover],
  ['MachinePool', machineGroupHover],
  ['ClusterConfig', machineGroupHover],
  ['DeviceClass', devicesHover],
  ['ResourceClaim', claimHover],
  ['ResourceClaimTemplate', claimHover],
  ['ResourceSlice', devicesHover],
  ['Namespace', (place) => (isHeading(place.path) ? namespaceHover(place.fact.name, place) : undefined)],
  ['KubeSchedulerConfiguration', schedulerConfigurationHover],
]);

function textAt(place: HoverPlace): string | undefined {
  const { fact, path } = place;
  if (path.length === 2 && path[0] === 'metadata' && path[1] === 'namespace' && fact.namespace !== '') {
    return namespaceHover(fact.namespace, place);
  }
  return selectorHover(place) ?? (kindAnswers.get(fact.kind) ?? podTextAt)(place);
}

const priorityOf: Answer = ({ fact, path, facts, release }) =>
  path.length === 1 ? priorityHover(fact, facts, release) : undefined;

const ofContainer: Answer = (place) =>
  hostPortHover(place) ?? containerRestartHover(place) ?? containerClaimsHover(place) ?? resourcesHover(place);

/** What answers for a field of a pod's spec and all that is inside of it. */
const podFields: ReadonlyMap<string | number, Answer> = new Map<string, Answer>([
  ['priorityClassName', priorityOf],
  ['priority', priorityOf],
  ['preemptionPolicy', priorityOf],
  ['schedulingGates', ({ fact }) => gatesHover(fact)],
  ['containers', ofContainer],
  ['initContainers', ofContainer],
  ['volumes', claimNameHover],
  ['resourceClaims', resourceClaimsHover],
  ['resources', resourcesHover],
  ['overhead', resourcesHover],
  ['tolerations', tolerationsHover],
  ['nodeSelector', nodeSelectorHover],
  ['affinity', affinityHover],
  ['topologySpreadConstraints', spreadHover],
  ['nodeName', nodeNameHover],
  ['hostNetwork', hostNetworkHover],
  ['activeDeadlineSeconds', deadlineHover],
  ['schedulerName', schedulerNameHover],
  ['terminationGracePeriodSeconds', graceHover],
  ['runtimeClassName', runtimeClassHover],
]);

function podTextAt(place: HoverPlace): string | undefined {
  const { fact, path, facts, release } = place;
  const template = podTemplatePath(fact.kind);
  if (template === undefined) return undefined;
  if (isHeading(path)) {
    return paragraphs(priorityHover(fact, facts, release), evictionHover(fact, facts));
  }
  const answer = replicasHover(place) ?? rollOutHover(place);
  if (answer !== undefined) return answer;
  if (!startsWith(path, template)) return undefined;
  const [spec, ...inside] = path.slice(template.length);
  // On `template:` itself, unless that is the whole pod.
  if (spec === undefined) return template.length > 0 ? priorityHover(fact, facts, release) : undefined;
  if (spec !== 'spec' || fact.template === undefined) return undefined;
  if (inside[0] === undefined) return priorityHover(fact, facts, release);
  return podFields.get(inside[0])?.({ ...place, path: inside });
}
