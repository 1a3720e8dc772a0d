import { noMatchText } from '../../admission/request/identify.ts';
import { nearestNames } from '../../kit/nearest-names.ts';
import { minors } from '../../kubernetes/api/index.ts';
import { groupOf, isOwnGroup, isServed, servedKinds, servedVersions } from '../../kubernetes/api/served.ts';
import { decodeObject, isKnownKind } from '../../kubernetes/decode/index.ts';
import type { ManifestObject } from '../../manifests/manifest.ts';
import type { DocumentRule, Finding } from './rule.ts';

/** Files of other programs that say `apiVersion: v1`: a kubeconfig, a template of OpenShift. */
const othersKinds: ReadonlySet<string> = new Set(['Config', 'Template']);

export const kindNotServed: DocumentRule = {
  code: 'kind-not-served',
  title: 'A kind, or a version of it, that no API server serves any more, or never did',
  severity: 'error',
  scope: 'document',
  *check({ document, kubernetes: { release, isAssumed } }) {
    for (const object of document.objects) {
      const { apiVersion, kind } = object;
      if (!isOwnGroup(groupOf(apiVersion)) || kind.endsWith('List') || othersKinds.has(kind)) continue;
      const serving = minors.filter((minor) => isServed(minor, apiVersion, kind));
      if (isAssumed ? serving.length > 0 : serving.includes(release.minor)) continue;
      if (serving.length === 0) {
        yield finding(object);
      } else {
        const message = `${noMatchText(apiVersion, kind)}. Kubernetes ${serving.join(' and ')} serves it.`;
        yield { range: object.locateNearest(['kind'], 'value'), message };
      }
    }
  },
  fix({ range, value }, { uri, index }) {
    if (value === undefined) return [];
    return [{ title: `Change to ${value}`, preferred: true, edits: [{ uri, index, range, text: value }] }];
  },
};

function finding(object: ManifestObject): Finding {
  const { apiVersion, kind } = object;
  const message = noMatchText(apiVersion, kind);
  const versions = servedVersions(kind);
  if (versions.length === 0) {
    const range = object.locateNearest(['kind'], 'value');
    const [near] = nearestNames(kind, servedKinds(), 2);
    return near === undefined
      ? { range, message }
      : { range, message: `${message}. Did you mean "${near}"?`, value: near };
  }
  const range = object.locateNearest(['apiVersion'], 'value');
  const newest = versions.at(-1)!;
  const told = { range, message: `${message}. Kubernetes serves it as ${newest}.` };
  return fitsAs(object, newest) ? { ...told, value: newest } : told;
}

/** Whether nothing but the version would have to change. */
function fitsAs({ value, kind }: ManifestObject, apiVersion: string): boolean {
  if (!isKnownKind(apiVersion, kind)) return false;
  const { problems, unknownFields } = decodeObject({ ...value, apiVersion });
  return problems.length === 0 && unknownFields.length === 0;
}
