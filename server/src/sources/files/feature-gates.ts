/** Feature gates that the configuration of a cluster switches, where it is kept beside the manifests. */
import { basename, dirname } from 'node:path';
import { type Gates, isKnownGate } from '../../kubernetes/feature-gates.ts';
import type { SourceFiles } from './source-files.ts';

/** Words of names of such files, and of their folders. */
const words: ReadonlySet<string> = new Set([
  'apiserver',
  'cluster',
  'clusterconfiguration',
  'controlplane',
  'control',
  'k0s',
  'k3d',
  'k3s',
  'kind',
  'kubeadm',
  'machineconfig',
  'omni',
  'rke2',
  'talconfig',
  'talenv',
  'talos',
  'talhelper',
]);

/** As text they may be templates, too. */
const extensions = ['.yaml', '.yml', '.json', '.j2', '.tmpl', '.tpl', '.jinja'] as const;

const mostFiles = 200;

/** What files of the configuration of Talos, kubeadm, kind and k3s switch. */
export async function featureGatesIn(paths: readonly string[], files: SourceFiles): Promise<Gates> {
  const gates = new Map<string, boolean>();
  for (const path of paths.filter(isConfiguration).slice(0, mostFiles)) {
    const text = await files.read(path);
    for (const [name, isOn] of gatesIn(text ?? '')) gates.set(name, isOn);
  }
  return gates;
}

function isConfiguration(path: string): boolean {
  if (!extensions.some((extension) => path.endsWith(extension))) return false;
  const names = `${basename(dirname(path))}/${basename(path)}`.toLowerCase();
  return names.split(/[^a-z0-9]/).some((word) => words.has(word));
}

/** The gates of an API server: its flag in the form that each tool has, and the map of kind. */
function gatesIn(text: string): Gates {
  const gates = new Map<string, boolean>();
  const take = (name: string, value: string): void => {
    if (isKnownGate(name)) gates.set(name, value === 'true');
  };
  const isOfKind = text.includes('kind.x-k8s.io');
  const lines = text.split('\n');
  for (const [index, line] of lines.entries()) {
    if (line.trimStart().startsWith('#')) continue;
    if (line.includes('feature-gates')) {
      // kubeadm has a list of names and values.
      const behind = line.slice(line.indexOf('feature-gates') + 'feature-gates'.length);
      const values = behind.includes('=') ? behind : (lines[index + 1] ?? '');
      for (const [, name = '', value = ''] of values.matchAll(/\b([A-Z][A-Za-z0-9]{2,80})=(true|false)\b/g)) {
        take(name, value);
      }
    } else if (isOfKind && line.trimEnd().endsWith('featureGates:')) {
      for (const next of lines.slice(index + 1)) {
        const [name = '', value = '', ...rest] = next.split(':').map((part) => part.trim().replaceAll('"', ''));
        if (rest.length > 0 || !/^(?:true|false)\b/.test(value)) break;
        take(name, value.startsWith('true') ? 'true' : 'false');
      }
    }
  }
  return gates;
}
