/** What the configuration of a cluster switches, where it is kept beside the manifests. */
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

/** `A=true`, and of a map `A: true`. */
const pair = /(?<![\w./-])([A-Za-z][\w./-]{2,80})["']?(?:=|:[ \t]*)["']?(true|false)\b/g;

/** The gates and API versions of an API server: its flags in the form that each tool has, and the maps of kind. */
function gatesIn(text: string): Gates {
  const gates = new Map<string, boolean>();
  const take = (line: string): void => {
    for (const [, name = '', value] of line.matchAll(pair)) if (isKnownGate(name)) gates.set(name, value === 'true');
  };
  const isOfKind = text.includes('kind.x-k8s.io');
  const lines = text.split('\n').filter((line) => !/^\s*(?:#|$)/.test(line));
  for (const [index, line] of lines.entries()) {
    const isMap = isOfKind && /^\s*(?:featureGates|runtimeConfig):/.test(line);
    if (!isMap && !/feature-gates|runtime-config/.test(line)) continue;
    const above = lines[index - 1];
    // kubeadm has a list of names and values, in any order.
    if (above !== undefined && /^\s*- value:/.test(above)) take(above);
    take(line);
    const indent = line.search(/\S/);
    for (const below of lines.slice(index + 1)) {
      if (isMap ? below.search(/\S/) <= indent : !/=(?:true|false)\b/.test(below)) break;
      take(below);
    }
  }
  return gates;
}
