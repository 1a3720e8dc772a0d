import { nearestNames } from '../util/nearest-names.ts';
import { own } from '../util/own.ts';
import type { Labels } from './labels.ts';

/** Labels that kubelets and cloud controllers give nodes. Source: staging/src/k8s.io/api/core/v1/well_known_labels.go */
const nodeLabels: readonly string[] = [
  'kubernetes.io/hostname',
  'kubernetes.io/arch',
  'kubernetes.io/os',
  'node.kubernetes.io/instance-type',
  'node.kubernetes.io/windows-build',
  'topology.kubernetes.io/region',
  'topology.kubernetes.io/zone',
  'failure-domain.beta.kubernetes.io/region',
  'failure-domain.beta.kubernetes.io/zone',
  'beta.kubernetes.io/arch',
  'beta.kubernetes.io/instance-type',
  'beta.kubernetes.io/os',
];

/** Letters by which a key may differ from the one that is meant. */
const mostChanges = 2;

/** The label of nodes that a key is likely meant for; undefined where it is one, or like none. */
export function meantNodeLabel(key: string): string | undefined {
  if (nodeLabels.includes(key)) return undefined;
  const [domain = '', name = ''] = key.split('/', 2);
  const isOfKubernetes = /^(?:[a-z-]+\.)?kubernetes\.io$/.test(domain) && name.length > 1;
  // One begins as the other, `kubernetes.io/host`, or is in another of these domains, `failure-domain.kubernetes.io/zone`.
  const isShortened = (label: string): boolean => {
    const [ofLabel = '', meant = ''] = label.split('/', 2);
    return ofLabel === domain && (meant.startsWith(name) || name.startsWith(meant));
  };
  const isElsewhere = (label: string): boolean => label.endsWith(`kubernetes.io/${name}`);
  const of = (isIt: (label: string) => boolean): string | undefined =>
    isOfKubernetes ? nodeLabels.find(isIt) : undefined;
  return of(isShortened) ?? nearestNames(key, nodeLabels, mostChanges)[0] ?? of(isElsewhere);
}

/** What kubelets are built for. Source: Go, internal/platform (GOOS, GOARCH), which the kubelet labels its node with */
const labelValues: Readonly<Record<string, readonly string[]>> = {
  'kubernetes.io/arch': ['386', 'amd64', 'arm', 'arm64', 'loong64', 'mips64le', 'ppc64le', 'riscv64', 's390x'],
  'kubernetes.io/os': ['linux', 'windows'],
};

/** As other programs call architectures. */
const otherNames: Readonly<Record<string, string>> = { aarch64: 'arm64', x64: 'amd64', x86_64: 'amd64', x86: 'amd64' };

/** Whether no kubelet gives its node a label with a value, and which one may be meant. */
export function impossibleValue(key: string, value: string): { readonly near: string | undefined } | undefined {
  const known = own(labelValues, key.replace(/^beta\./, ''));
  if (known === undefined || known.includes(value)) return undefined;
  return { near: own(otherNames, value.toLowerCase()) ?? nearestNames(value.toLowerCase(), known, mostChanges)[0] };
}

/**
 * The label that nodes or pods have and that somebody may have meant by another, both as `key=value`. Names that differ in a
 * number or a short part (`pool-a`, `m5.large`) are names of other things.
 */
export function nearLabel(wanted: string, labelled: readonly (Labels | undefined)[]): string | undefined {
  const [, key = '', value = ''] = /^([^=!\s]+)=(\S+)$/.exec(wanted) ?? [];
  if (key === '') return undefined;
  const labels = labelled.map((each) => each ?? {});
  const values = new Set(labels.flatMap((each) => own(each, key) ?? []));
  if (values.has(value)) return undefined;
  const meant = impossibleValue(key, value)?.near;
  if (meant !== undefined && values.has(meant)) return `${key}=${meant}`;
  if (values.size > 0) {
    const near = misspelt(value, values);
    return near === undefined ? undefined : `${key}=${near}`;
  }
  const near = misspelt(key, new Set(labels.flatMap((each) => Object.keys(each))));
  return near === undefined ? undefined : `${near}=${value}`;
}

function misspelt(name: string, known: ReadonlySet<string>): string | undefined {
  return nearestNames(name, known, Math.min(2, Math.floor(name.length / 4))).find((near) => {
    const [written, meant] = [partsOf(name), partsOf(near)];
    if (written.length !== meant.length) return true;
    return written.every((part, at) => part === meant[at] || (part.length >= 4 && !/\d/.test(part + meant[at]!)));
  });
}

function partsOf(name: string): readonly string[] {
  return name.split(/[-._/]/);
}
