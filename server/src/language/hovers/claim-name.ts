import { say } from '../../util/say.ts';
import { compileNodeSelector } from '../../kubernetes/node-selector.ts';
import type { PersistentVolume, PersistentVolumeClaim, StorageClass } from '../../kubernetes/objects.ts';
import type { Fact } from '../index/fact.ts';
import { code } from '../connection/markdown.ts';
import { factLink, factLinks, nodeLinks, nodesText } from './links.ts';
import { type HoverPlace, nodesOf, paragraphs, points } from './place.ts';

/** The claim that a volume names: whether it is there, its volume, and to which nodes that ties the pod. */
export function claimNameHover(place: HoverPlace): string | undefined {
  const { fact, facts, path } = place;
  const [list, index, source] = path;
  if (list !== 'volumes' || typeof index !== 'number' || source !== 'persistentVolumeClaim') return undefined;
  const name = fact.template?.spec.volumes?.[index]?.persistentVolumeClaim?.claimName ?? '';
  if (name === '') return undefined;
  const claim = facts
    .ofKind('PersistentVolumeClaim')
    .find((each) => each.name === name && each.namespace === fact.namespace);
  if (claim === undefined) {
    return say`Claim ${code(name)} is not declared here in namespace ${code(fact.namespace)}. Without it no node takes the pod.`;
  }
  const { spec = {} } = claim.object as PersistentVolumeClaim;
  const size = spec.resources?.requests?.['storage'];
  const others = facts
    .ofKind('Pod')
    .filter((pod) => pod !== fact && pod.namespace === fact.namespace && usesClaim(pod, name));
  return paragraphs(
    say`**Claim ${factLink(claim, facts)}**`,
    points([
      ...(size === undefined ? [] : [say`It asks for ${code(size)}`]),
      ...((spec.accessModes?.length ?? 0) === 0 ? [] : [say`Access: ${code(spec.accessModes!.join(', '))}`]),
      volumeText(spec, place),
      ...(others.length === 0 ? [] : [say`Pods that use it too: ${factLinks(others, facts)}`]),
    ]),
    spec.accessModes?.includes('ReadWriteOncePod') === true
      ? say`With \`ReadWriteOncePod\` only one pod runs with it at a time, and a more important pod evicts that one.`
      : '',
  );
}

function usesClaim({ template }: Fact, name: string): boolean {
  return template?.spec.volumes?.some(({ persistentVolumeClaim: claim }) => claim?.claimName === name) === true;
}

/** The volume of a bound claim, or how the storage class will find one. */
function volumeText(spec: NonNullable<PersistentVolumeClaim['spec']>, place: HoverPlace): string {
  const { facts } = place;
  const name = spec.volumeName ?? '';
  const volume = facts.ofKind('PersistentVolume').find((each) => each.name === name);
  if (volume !== undefined) return say`Bound to ${factLink(volume, facts)}${reachText(volume, place)}`;
  if (name !== '') return say`Bound to ${code(name)}, which is not declared here`;
  const className = spec.storageClassName ?? '';
  const storage = facts.ofKind('StorageClass').find((each) => each.name === className);
  if (storage === undefined) {
    return className === ''
      ? say`Not bound, and without a storage class`
      : say`Not bound; storage class ${code(className)} is not declared here`;
  }
  const waits = (storage.object as StorageClass).volumeBindingMode === 'WaitForFirstConsumer';
  return waits
    ? say`Not bound; ${factLink(storage, facts)} binds it on the node that is chosen for the pod`
    : say`Not bound; ${factLink(storage, facts)} binds it at once, and the pod waits until then`;
}

/** Where a volume can be reached. Source: pkg/scheduler/framework/plugins/volumebinding */
function reachText(volume: Fact, place: HoverPlace): string {
  const required = (volume.object as PersistentVolume).spec?.nodeAffinity?.required;
  const known = nodesOf(place);
  if (required === undefined || known.nodes.length === 0) return '';
  const matcher = compileNodeSelector(required);
  const nodes = known.matching(`volume ${JSON.stringify(required)}`, ({ selectable }) => matcher.matches(selectable));
  return say`, which ${nodes.length} of ${nodesText(known)} can reach${nodes.length === 0 ? '' : say`: ${nodeLinks(nodes, place.facts)}`}`;
}
