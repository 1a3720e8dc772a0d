import { addTo } from '../../util/maps.ts';
import { own } from '../../util/own.ts';
import { joined, say } from '../../util/say.ts';
import { valueAt } from '../../util/values.ts';
import { list } from '../../util/words.ts';
import { noMatchText } from '../../admission/request/identify.ts';
import { type Minor, minors } from '../../util/minors.ts';
import { nearestNames } from '../../util/nearest-names.ts';
import {
  groupOf,
  isOwnGroup,
  isServed,
  isServedGroup,
  mayBeSwitchedOn,
  namesOfServed,
  servedVersions,
} from '../../kubernetes/api/served.ts';
import { decodeObject, isKnownKind } from '../../kubernetes/decode/index.ts';
import { holdsVariable } from '../../kubernetes/placeholders.ts';
import type { JsonObject, Path } from '../../kubernetes/json.ts';
import { newestRelease, releaseOf } from '../../kubernetes/releases/index.ts';
import type { Release } from '../../kubernetes/release.ts';
import { documentValue } from '../../manifests/document-value.ts';
import { isEncrypted } from '../../manifests/encrypted.ts';
import type { ManifestDocument, ManifestObject, OffsetRange } from '../../manifests/manifest.ts';
import { derived } from '../index/derived.ts';
import type { FactsReader } from '../index/fact.ts';
import { scalarInstead, wrapEntries } from './support/edits.ts';
import type { DocumentRule, Finding } from './support/rule.ts';

/** The newest serves all that any before it does. */
const { served } = newestRelease;

/**
 * What others mean by `apiVersion: v1`: a kubeconfig, and what OpenShift has groups for and `oc` takes without one.
 * Source: openshift/api, route/v1/legacy.go and those beside it (DeprecatedInstallWithoutGroup)
 */
const othersKinds =
  /^(?:Config|Template|Route|Project|Build|BuildConfig|DeploymentConfig|ImageStream|SecurityContextConstraints)$/;

export const kindNotServed: DocumentRule = {
  code: 'kind-not-served',
  title: 'A kind or version that no API server serves',
  severity: 'error',
  scope: 'document',
  *check({ document, facts, kubernetes: { release, isAssumed } }) {
    if (document.content === 'data') yield* namelessFinding(document);
    for (const object of document.objects) {
      const { apiVersion, kind } = object;
      if (!isOwnGroup(served, groupOf(apiVersion)) || kind.endsWith('List') || othersKinds.test(kind)) continue;
      if (isOfAnotherTool(object) || isEncrypted(object) || holdsVariable(kind)) continue;
      // With the feature gates that are switched on.
      const of = (minor: Minor): Release => (minor === release.minor ? release : releaseOf(minor));
      const serving = minors.filter((minor) => isServed(of(minor).served, apiVersion, kind));
      if (isAssumed ? serving.length > 0 : serving.includes(release.minor)) continue;
      if (isDefined(object, facts)) continue;
      if (serving.length === 0) {
        yield finding(object, isAssumed ? newestRelease : release, document.text);
      } else {
        const message = say`${noMatchText(apiVersion, kind)}. It is served by Kubernetes ${list(serving)}.`;
        yield { range: object.locateNearest(['kind'], 'value'), message };
      }
    }
  },
  fix({ range, value }, { uri, index, document }) {
    if (value === undefined) return [];
    const object = document.objects.find((each) => each.locateNearest(['apiVersion'], 'value').start === range.start);
    const inside = object === undefined ? [] : (changesFor(object, value, document.text) ?? []);
    const edits = [{ range, text: scalarInstead(document.text, range, value) }, ...inside].map((each) => ({
      uri,
      index,
      ...each,
    }));
    return [{ title: say`Change to ${value}`, preferred: true, edits }];
  },
};

/**
 * `apiVersion: release-notes/v2`, `kind: feature`: neither is of Kubernetes, nor like anything that is. Talos says
 * `apiVersion: v1alpha1` without a group, where Kubernetes has had nothing but `v1`, and Gitpod `v1` of what has no name.
 */
function isOfAnotherTool({ apiVersion, kind, name }: ManifestObject): boolean {
  const group = groupOf(apiVersion);
  const isKnown =
    (isServedGroup(served, group) && (group !== '' || (apiVersion === 'v1' && name !== ''))) ||
    servedVersions(served, kind).length > 0;
  return !isKnown && nearestNames(kind, namesOfServed(served), 2).length === 0;
}

/**
 * Whether a CustomResourceDefinition among the manifests brings the kind. Of one in a document of its own only the name
 * is read: the plural of the kind, and its group.
 */
function isDefined({ apiVersion, kind }: ManifestObject, facts: FactsReader): boolean {
  const stem = kind.toLowerCase().replace(/y$/, '');
  const plurals = definedPlurals(facts).get(groupOf(apiVersion)) ?? [];
  // In order of their text, so that those with this start stand together.
  let low = 0;
  let high = plurals.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (plurals[middle]! < stem) low = middle + 1;
    else high = middle;
  }
  return plurals[low]?.startsWith(stem) === true;
}

/** By group, in order. */
const definedPlurals = derived(['CustomResourceDefinition'], (definitions) => {
  const byGroup = new Map<string, string[]>();
  for (const { name } of definitions) {
    const dot = name.indexOf('.');
    const group = name.slice(dot + 1);
    addTo(byGroup, group, name.slice(0, dot));
  }
  for (const plurals of byGroup.values()) plurals.sort();
  return byGroup;
});

/**
 * A document that looks like an object and does not say of what kind it is, or of which version. Source:
 * kubectl/pkg/validation/schema.go
 */
function* namelessFinding({ text }: ManifestDocument): Iterable<Finding> {
  // Reading a large file of data again for this would be a waste. Without a name it is what `kubectl run --overrides` takes.
  if (!/^metadata[ \t]*:/m.test(text)) return;
  const written = /^(apiVersion|kind)[ \t]*:[ \t]*["']?([\w./-]+)/m.exec(text);
  if (written === null) return;
  const [, field = '', value = ''] = written;
  // The installer of OpenShift has a version and a name in its configuration, too.
  const isObject =
    field === 'kind'
      ? servedVersions(served, value).length > 0
      : isOwnGroup(served, groupOf(value)) && /^(?:spec|data|stringData|rules|roleRef)[ \t]*:/m.test(text);
  const read = isObject ? documentValue(text) : undefined;
  if (read === undefined || 'problem' in read) return;
  const missing = (['apiVersion', 'kind'] as const).filter((each) => (read.value[each] ?? '') === '');
  const start = written.index;
  const range = { start, end: start + field.length };
  for (const each of missing) yield { range, message: `error validating data: ${each} not set` };
}

function finding(object: ManifestObject, release: Release, text: string): Finding {
  const { apiVersion, kind } = object;
  const message = noMatchText(apiVersion, kind);
  const onDemand = minors.filter((minor) => own(releaseOf(minor).servedOnDemand, apiVersion)?.includes(kind) === true);
  if (onDemand.length > 0) {
    const range = object.locateNearest(['kind'], 'value');
    const hint = say`In Kubernetes ${joined(onDemand, ' and ')} it is served where the feature gate GenericWorkload and ${apiVersion} are switched on. Both are off by default, and pods are scheduled each on its own.`;
    return { range, message: say`${message}. ${hint}` };
  }
  const versions = servedVersions(served, kind);
  if (versions.length === 0) {
    const range = object.locateNearest(['kind'], 'value');
    const [near] = nearestNames(kind, namesOfServed(served), 2);
    return near === undefined
      ? { range, message }
      : { range, message: say`${message}. Did you mean "${near}"?`, value: near, schemaSays: 'kind' };
  }
  const range = object.locateNearest(['apiVersion'], 'value');
  const newest = servedVersions(release.served, kind).at(-1);
  if (newest === undefined) {
    const later = minors.filter((minor) => servedVersions(releaseOf(minor).served, kind).length > 0);
    const hint = say`In Kubernetes ${list(later)} it is served as ${versions.at(-1)!}.`;
    return switchable(object, { range, message: say`${message}. ${hint}`, schemaSays: 'kind' });
  }
  const serving = minors.filter((minor) => isServed(releaseOf(minor).served, newest, kind));
  const hint =
    serving.length < minors.length
      ? say`In Kubernetes ${list(serving)} it is served as ${newest}.`
      : say`Kubernetes serves it as ${newest}.`;
  const problem = { range, message: say`${message}. ${hint}`, schemaSays: 'kind' as const };
  const changes = changesFor(object, newest, text);
  return switchable(object, changes === undefined ? problem : { ...problem, value: newest });
}

/** Some clusters take what is off by default. */
function switchable({ apiVersion, kind }: ManifestObject, found: Finding): Finding {
  if (!mayBeSwitchedOn(apiVersion, kind)) return found;
  const message = say`${found.message} API servers take ${apiVersion} only where --runtime-config switches it on.`;
  return { ...found, severity: 'warning', message };
}

/**
 * What would have to change besides the version: fields of requests of devices stand in `exactly` since v1beta2. Undefined
 * where that is not all.
 */
function changesFor(
  object: ManifestObject,
  apiVersion: string,
  text: string,
): readonly { readonly range: OffsetRange; readonly text: string }[] | undefined {
  const { value, kind } = object;
  if (!isKnownKind(apiVersion, kind)) return undefined;
  const { problems, unknownFields } = decodeObject({ ...value, apiVersion });
  const isOther = (path: Path): boolean =>
    path.at(-3) !== 'requests' || valueAt(value, [...path.slice(0, -1), 'exactly']) !== undefined;
  if (problems.length > 0 || unknownFields.some(isOther)) return undefined;
  const requests = new Map(unknownFields.map((path) => [JSON.stringify(path.slice(0, -1)), path.slice(0, -1)]));
  const edits = [...requests.values()].map((place) => {
    const fields = Object.keys(valueAt(value, place) as JsonObject);
    const ranges = (isName: boolean): readonly OffsetRange[] =>
      fields.flatMap((field) =>
        (field === 'name') === isName ? (object.locate([...place, field], 'entry') ?? []) : [],
      );
    return wrapEntries(text, object.locateNearest(place, 'value'), ranges(false), ranges(true), 'exactly');
  });
  return edits.every((each) => each !== undefined) ? edits : undefined;
}
