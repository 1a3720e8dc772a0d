import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { type ArchiveEntry, archiveOf } from './chart-servers.ts';

/**
 * What a repository may not get out: it stands in files outside of it, in `.git`, in folders of credentials, and in
 * the environment of whoever runs Podium.
 */
export const canary = `canary-${Math.random().toString(16).slice(2, 10)}${Math.random().toString(16).slice(2, 10)}`;

/** Whether something printed gives it away, as it is or as a Secret has it. */
export function givesAway(text: string): boolean {
  return [canary, Buffer.from(canary).toString('base64').slice(0, 18)].some((form) => text.includes(form));
}

/** Files by their path in the folder of the attack; links by where they lead. */
interface Attack {
  readonly name: string;
  readonly files: Readonly<Record<string, string | Buffer>>;
  readonly links?: Readonly<Record<string, string>>;
  /** It makes no source: what it names is not there. */
  readonly isQuiet?: true;
}

const pod = (className: string, name = 'web'): string =>
  `apiVersion: v1\nkind: Pod\nmetadata: {name: ${name}}\nspec: {priorityClassName: ${className}, containers: [{name: a, image: a}]}\n`;

/** Where programs keep credentials. */
const secretPaths = [
  ...['.ssh/id_rsa', '.aws/credentials', '.kube/config', '.docker/config.json', '.netrc', '.m2/settings.xml'],
  ...['.config/gcloud/key', '.config/gh/hosts.yml', '.cargo/credentials.toml', '.git-credentials'],
];

/** Copies what a ConfigMap holds into a field that refusals quote. */
const copying =
  'replacements:\n  - source: {kind: ConfigMap, name: k, fieldPath: data.k}\n    targets: [{select: {kind: Pod}, fieldPaths: [spec.priorityClassName]}]\ngeneratorOptions: {disableNameSuffixHash: true}\nresources: [pod.yaml]\n';

const kustomization = (text: string, more: Attack['files'] = {}): Attack['files'] => ({
  'kustomization.yaml': text,
  'pod.yaml': pod('none'),
  ...more,
});
const stealing = (text: string, more: Attack['files'] = {}): Attack['files'] =>
  kustomization(`${text}\n${copying}`, more);

const chartHead = 'apiVersion: v2\nname: c\nversion: 1.0.0\n';
const template = (expression: string): string => pod(`"{{ ${expression} }}"`);
const chart = (expression: string, more: Attack['files'] = {}): Attack['files'] => ({
  'Chart.yaml': chartHead,
  'templates/pod.yaml': template(expression),
  ...more,
});
const schema = (text: string): Attack['files'] =>
  chart('.Values.a', { 'values.yaml': 'a: b\n', 'values.schema.json': text });
const configMap = (files: string): string =>
  `apiVersion: builtin\nkind: ConfigMapGenerator\nmetadata: {name: k}\nfiles: [${files}]\n`;
const application = (source: string): string =>
  `apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: a, namespace: argocd}\nspec: {destination: {namespace: d}, source: {repoURL: '', ${source}}}\n`;
const flux = (spec: string): string =>
  `apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: f, namespace: f}\nspec: {interval: 5m, sourceRef: {kind: GitRepository, name: g}, ${spec}}\n`;
const helmRelease = (spec: string, chartOf: string): string =>
  `apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: h, namespace: h}\nspec: {interval: 5m, chart: {spec: {chart: ${chartOf}, sourceRef: {kind: GitRepository, name: g}}}, ${spec}}\n`;
const escaped = (text: string): string =>
  Array.from(text, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');

/**
 * Each in a folder `FOLDER/NAME` of the repository; `../../../private` is outside of that.
 *
 * @param url of a server on this machine that nobody may ask
 * @param outside the folder outside, as an absolute path
 */
function attacks(url: string, outside: string): readonly Attack[] {
  const far = '../../../../private';
  const out = '../../../private';
  const remote = (name: string, text: string, more: Attack['files'] = {}): Attack => ({
    name: `remote-${name}`,
    files: kustomization(`resources: [pod.yaml]\n${text}\n`, more),
  });
  const inGenerator = (name: string, text: string): Attack => ({
    name: `plugin-${name}`,
    files: kustomization('resources: [pod.yaml]\ntransformers: [t.yaml]\n', { 't.yaml': text }),
  });
  const patching = (path: string): string =>
    `apiVersion: builtin\nkind: PatchTransformer\nmetadata: {name: p}\ntarget: {kind: Pod}\npath: ${path}\n`;
  return [
    // Files outside, by every field that names one.
    { name: 'generators', files: stealing('generators: [g.yaml]', { 'g.yaml': configMap(`"k=${out}/key"`) }) },
    { name: 'generators-inline', files: stealing(`generators: [${JSON.stringify(configMap(`"k=${out}/key"`))}]`) },
    {
      name: 'generators-folder',
      files: stealing('generators: [g]', {
        'g/kustomization.yaml': 'resources: [g.yaml]\n',
        'g/g.yaml': configMap(`"k=${out}/key"`),
      }),
    },
    { name: 'files', files: stealing(`configMapGenerator: [{name: k, files: ["k=${out}/key"]}]`) },
    { name: 'files-case', files: stealing(`ConfigMapGenerator: [{Name: k, Files: ["k=${out}/key"]}]`) },
    { name: 'files-fold', files: stealing(`configMapGenerator: [{name: k, file\u017f: ["k=${out}/key"]}]`) },
    { name: 'files-absolute', files: stealing(`configMapGenerator: [{name: k, files: ["k=${outside}/key"]}]`) },
    { name: 'envs', files: stealing(`configMapGenerator: [{name: k, envs: [${out}/env]}]`) },
    { name: 'env', files: stealing(`configMapGenerator: [{name: k, env: ${out}/env}]`) },
    { name: 'envs-case', files: stealing(`CONFIGMAPGENERATOR: [{name: k, ENVS: [${out}/env]}]`) },
    {
      name: 'secret',
      files: kustomization(`resources: [pod.yaml]\nsecretGenerator: [{name: k, files: [k=${out}/key]}]\n`),
    },
    { name: 'patches-case', files: kustomization(`resources: [pod.yaml]\nPatches: [{Path: ${out}/patch.yaml}]\n`) },
    { name: 'patches', files: kustomization(`resources: [pod.yaml]\npatches: [{path: ${out}/patch.yaml}]\n`) },
    { name: 'strategic', files: kustomization(`resources: [pod.yaml]\npatchesStrategicMerge: [${out}/patch.yaml]\n`) },
    {
      name: 'json6902',
      files: kustomization(
        `resources: [pod.yaml]\nPatchesJson6902: [{target: {version: v1, kind: Pod, name: web}, path: ${out}/patch.json}]\n`,
      ),
    },
    {
      name: 'transformer',
      files: kustomization('resources: [pod.yaml]\ntransformers: [t.yaml]\n', {
        't.yaml': patching(`${out}/patch.yaml`),
      }),
    },
    {
      name: 'replacements',
      files: kustomization(`resources: [pod.yaml]\nreplacements: [{path: ${out}/replacement.yaml}]\n`),
    },
    { name: 'openapi', files: kustomization(`resources: [pod.yaml]\nOpenAPI: {path: ${out}/pod.yaml}\n`) },
    { name: 'crds', files: kustomization(`resources: [pod.yaml]\nCRDs: [${out}/pod.yaml]\n`) },
    { name: 'configurations', files: kustomization(`resources: [pod.yaml]\nconfigurations: [${out}/pod.yaml]\n`) },
    { name: 'resources-file', files: { 'kustomization.yaml': `resources: [${out}/pod.yaml]\n` } },
    { name: 'resources-folder', files: { 'kustomization.yaml': `resources: [${out}]\n` } },
    { name: 'resources-fold', files: { 'kustomization.yaml': `re\u017fources: [${out}]\n` } },
    { name: 'resources-absolute', files: { 'kustomization.yaml': `resources: [${outside}]\n` } },
    {
      name: 'resources-root',
      files: { 'kustomization.yaml': `resources: [../../../../../../../../../../..${outside}]\n` },
    },
    { name: 'bases-case', files: { 'kustomization.yaml': `BASES: [${out}]\n` } },
    { name: 'components-case', files: kustomization(`resources: [pod.yaml]\nComponents: [${out}/component]\n`) },
    { name: 'twice', files: { 'kustomization.yaml': `resources: []\nresources: [${out}]\n` } },
    { name: 'merge', files: { 'kustomization.yaml': `<<: {resources: [${out}]}\n` } },
    { name: 'line-separator', files: { 'kustomization.yaml': `# a\u2028resources: [${out}]\nnamePrefix: a-\n` } },
    {
      name: 'binary',
      files: { 'kustomization.yaml': `resources: [!!binary ${Buffer.from(out).toString('base64')}]\n` },
    },
    { name: 'json', files: { 'kustomization.yaml': `{"${escaped('resources')}": ["${escaped(out)}"]}\n` } },
    {
      name: 'inner-base',
      files: {
        'kustomization.yaml': 'resources: [in/base]\n',
        'in/base/kustomization.yaml': `resources: [../../${out}]\n`,
      },
    },
    // Folders of credentials within the repository.
    { name: 'git', files: stealing('configMapGenerator: [{name: k, files: ["k=../../.git/config"]}]') },
    ...secretPaths.map((path): Attack => ({
      name: `secret${path.replaceAll(/[./]/g, '-')}`,
      files: stealing(`configMapGenerator: [{name: k, files: ["k=../../${path}"]}]`),
    })),
    // Links.
    {
      name: 'link-file',
      files: stealing('configMapGenerator: [{name: k, files: [k=key]}]'),
      links: { key: `${out}/key` },
    },
    {
      name: 'link-chain',
      files: stealing('configMapGenerator: [{name: k, files: [k=b]}]'),
      links: { a: `${out}/key`, b: 'a' },
    },
    {
      name: 'link-deep',
      files: stealing('configMapGenerator: [{name: k, files: [k=a/b/c/key]}]'),
      links: { 'a/b/c': '../../../../../private' },
    },
    {
      name: 'link-resource',
      files: { 'kustomization.yaml': 'resources: [p.yaml]\n' },
      links: { 'p.yaml': `${out}/pod.yaml` },
    },
    { name: 'link-base', files: { 'kustomization.yaml': 'resources: [base]\n' }, links: { base: out } },
    {
      name: 'link-kustomization',
      files: { 'kustomization.yaml': 'resources: [in]\n' },
      links: { 'in/kustomization.yaml': `${far}/kustomization.yaml`, 'in/pod.yaml': `${far}/pod.yaml` },
    },
    {
      name: 'link-git',
      files: stealing('configMapGenerator: [{name: k, files: [k=config]}]'),
      links: { config: '../../.git/config' },
    },
    { name: 'chart-link-file', files: chart('.Files.Get "key" | trim'), links: { key: `${out}/key` } },
    { name: 'chart-link-folder', files: chart('.Files.Get "files/key" | trim'), links: { files: out } },
    { name: 'chart-link-deep', files: chart('.Files.Get "a/b/key" | trim', { 'a/x': '' }), links: { 'a/b': far } },
    { name: 'chart-link-git', files: chart('.Files.Get "g/config" | trim'), links: { g: '../../.git' } },
    { name: 'chart-link-values', files: chart('.Values.class'), links: { 'values.yaml': `${out}/values.yaml` } },
    { name: 'chart-link-template', files: chart('.Values.none'), links: { 'templates/p.yaml': `${far}/pod.yaml` } },
    { name: 'chart-link-crds', files: chart('.Values.none'), links: { crds: out } },
    { name: 'chart-link-subchart', files: chart('.Values.none'), links: { 'charts/sub': `${far}/chart` } },
    { name: 'chart-absolute', files: chart(`.Files.Get "${outside}/key"`) },
    { name: 'chart-up', files: chart(`.Files.Get "${out}/key"`) },
    { name: 'chart-glob', files: chart(`(.Files.Glob "${out}/*").AsConfig`) },
    {
      name: 'helmignore',
      files: chart('.Files.Get "key" | trim', { '.helmignore': 'nothing\n' }),
      links: { key: `${out}/key` },
    },
    { name: 'schema-file', files: schema(`{"$ref": "file://${outside}/schema.json"}`) },
    { name: 'schema-up', files: schema(`{"$ref": "../../../../../../../..${outside}/schema.json"}`) },
    // Objects of Flux and Argo CD.
    { name: 'argo-path', files: { 'app.yaml': application('path: ../private') } },
    { name: 'argo-link', files: { 'app.yaml': application('path: attacks/argo-link/in') }, links: { in: out } },
    {
      name: 'argo-values',
      files: {
        ...chart('.Values.class'),
        'in/app.yaml': application(
          `path: attacks/argo-values, helm: {valueFiles: ["${out}/values.yaml", "/../private/values.yaml", "${outside}/values.yaml"]}`,
        ),
      },
    },
    {
      name: 'argo-patches',
      files: kustomization('resources: [pod.yaml]\n', {
        'app.yaml': application(`path: attacks/argo-patches, kustomize: {patches: [{path: ${out}/patch.yaml}]}`),
      }),
    },
    {
      name: 'argo-components',
      files: kustomization('resources: [pod.yaml]\n', {
        'app.yaml': application(`path: attacks/argo-components, kustomize: {components: ["${out}/component"]}`),
      }),
    },
    {
      name: 'argo-set',
      isQuiet: true,
      files: {
        'set.yaml': `apiVersion: argoproj.io/v1alpha1\nkind: ApplicationSet\nmetadata: {name: s}\nspec:\n  generators: [{git: {repoURL: '', files: [{path: "../private/*.yaml"}, {path: "attacks/argo-set/v.yaml"}]}}]\n  template: {metadata: {name: 'x-{{class}}'}, spec: {destination: {}, source: {repoURL: '', path: '{{class}}'}}}\n`,
      },
      links: { 'v.yaml': `${out}/values.yaml` },
    },
    { name: 'flux-path', files: { 'f.yaml': flux('path: ../private') } },
    {
      name: 'flux-files',
      files: kustomization(`resources: [${out}/pod.yaml]\n`, { 'in/f.yaml': flux('path: ./attacks/flux-files') }),
    },
    {
      name: 'flux-generator',
      files: stealing(`configMapGenerator: [{name: k, files: ["k=${out}/key"]}]`, {
        'in/f.yaml': flux('path: ./attacks/flux-generator'),
      }),
    },
    {
      name: 'flux-components',
      files: kustomization('resources: [pod.yaml]\n', {
        'in/f.yaml': flux(`path: ./attacks/flux-components, components: ["${out}/component"]`),
      }),
    },
    {
      name: 'flux-components-link',
      files: kustomization('resources: [pod.yaml]\n', {
        'in/f.yaml': flux('path: ./attacks/flux-components-link, components: [./linked, in/../linked]'),
      }),
      links: { linked: `${out}/component` },
    },
    {
      name: 'argo-components-link',
      files: kustomization('resources: [pod.yaml]\n', {
        'in/app.yaml': application(
          `path: attacks/argo-components-link, kustomize: {components: [part, "${outside}/component"]}`,
        ),
        'part/kustomization.yaml': `kind: Component\nresources: [${far}/pod.yaml, linked.yaml]\n`,
      }),
      links: { 'part/linked.yaml': `${far}/pod.yaml` },
    },
    {
      name: 'flux-components-url',
      files: kustomization('resources: [pod.yaml]\n', {
        'in/f.yaml': flux(
          `path: ./attacks/flux-components-url, components: ["${url}/36?ref=x", "git::${url}/37", "${url}/38.git//a"]`,
        ),
      }),
    },
    {
      name: 'release-values',
      files: {
        ...chart('.Values.class'),
        'in/h.yaml': helmRelease('values: {}', './attacks/release-values').replace(
          'chart: ./',
          `valuesFiles: ["${out}/values.yaml"], chart: ./`,
        ),
      },
    },
    {
      name: 'release-renderers',
      files: {
        ...chart('.Values.none'),
        'in/h.yaml': helmRelease(
          `postRenderers: [{kustomize: {patches: [{target: {kind: Pod}, path: ${out}/patch.yaml}]}}]`,
          './attacks/release-renderers',
        ),
      },
    },
    // Names and values that a tool could take for options or for files.
    {
      name: 'options',
      files: {
        ...chart('.Values.k'),
        'in/app.yaml': application(
          `path: attacks/options, helm: {releaseName: "--post-renderer=/bin/sh", fileParameters: [{name: k, path: "${out}/key"}], parameters: [{name: "k=x,--set-file=k", value: "${outside}/key"}, {name: "-f", value: "${out}/values.yaml"}]}`,
        ).replace('namespace: d', `namespace: "--kubeconfig=${outside}/key"`),
      },
    },
    {
      name: 'file-dependency',
      files: {
        ...chart('.Values.none'),
        'Chart.yaml': `${chartHead}dependencies: [{name: sub, version: 1.0.0, repository: "file://${out}/chart"}]\n`,
      },
    },
    // What YAML has for the same.
    { name: 'explicit-key', files: { 'kustomization.yaml': `? resources\n: - ${out}\n` } },
    { name: 'tags', files: { 'kustomization.yaml': `%YAML 1.2\n---\n!!map {!!str "resources": [!!str "${out}"]}\n` } },
    { name: 'documents', files: kustomization(`resources: [pod.yaml]\n---\nresources: [${out}]\n`) },
    { name: 'alias', files: { 'kustomization.yaml': `x: &x "${out}"\nresources: [*x]\n` } },
    { name: 'nul', files: kustomization(`resources: ["pod.yaml\\0/../${out}"]\n`) },
    // What is asked over the network of this machine.
    remote('resources', `Resources: ["${url}/1"]`),
    remote('escapes', `components: ["${escaped(`${url}/2`)}"]`),
    remote('case', `crds: ["${url.replace('http', 'HTTP')}/3"]`),
    remote('git', `bases: ["git::${url}/4"]`),
    remote('ref', `bases: ["${url.replace('http://', '')}/a/b?ref=x"]`),
    remote('configurations', `Configurations: ["${url}/5"]`),
    remote('openapi', `openapi: {path: "${url}/6"}`),
    remote('patches', `patches: [{Path: "${url}/7"}]`),
    remote('strategic', `patchesStrategicMerge: ["${url}/8"]`),
    remote('json6902', `patchesJson6902: [{target: {version: v1, kind: Pod, name: web}, path: "${url}/9"}]`),
    remote('replacements', `Replacements: [{PATH: "${url}/10"}]`),
    remote('files', `configMapGenerator: [{name: k, files: ["k=${url}/11"]}]`),
    remote('envs', `SecretGenerator: [{name: k, Envs: ["${url}/12"]}]`),
    remote('generators', `generators: ["${url}/13"]`),
    remote('transformers', `Transformers: ["${url}/14"]`),
    remote('validators', `validators: ["${url}/15"]`),
    remote('charts', `helmGlobals: {chartHome: ${out}}\nHelmCharts: [{name: c, repo: "${url}/16", version: 1.0.0}]`),
    remote('inflator', 'Generators: [i.yaml]', {
      'i.yaml': `apiVersion: builtin\nkind: "${escaped('HelmChartInflationGenerator')}"\nmetadata: {name: i}\nname: c\nrepo: ${url}/17\n`,
    }),
    remote('binary', `configurations: [!!binary ${Buffer.from(`${url}/18`).toString('base64')}]`),
    remote('separator', `namePrefix: a-\n# a\u2028configurations: ["${url}/19"]`),
    remote('folder', 'transformers: [t]', {
      't/kustomization.yaml': 'resources: [t.yaml]\n',
      't/t.yaml': patching(`"${escaped(`${url}/20`)}"`),
    }),
    inGenerator('escapes', patching(`"http:\\u002f\\u002f${url.slice(7)}/21"`)),
    inGenerator('binary', patching(`!!binary ${Buffer.from(`${url}/22`).toString('base64')}`)),
    inGenerator('second', `${patching('pod.yaml')}---\n${patching(`"${escaped(`${url}/23`)}"`)}`),
    inGenerator('folded', patching(`"http:\\\n  //${url.slice(7)}/24"`)),
    inGenerator('files', configMap(`"k=${url}/25"`)),
    { name: 'schema-ref', files: schema(`{"\\u0024ref": "${url}/26"}`) },
    { name: 'schema-deep', files: schema(`{"properties": {"a": {"anyOf": [{"$ref": "${url}/27#/a"}]}}}`) },
    { name: 'schema-draft', files: schema(`{"$schema": "${url}/28"}`) },
    { name: 'schema-id', files: schema(`{"$id": "${url}/29/", "properties": {"a": {"$ref": "a.json"}}}`) },
    {
      name: 'schema-subchart',
      files: chart('.Values.a', {
        'charts/node_modules/Chart.yaml': chartHead.replace('name: c', 'name: node_modules'),
        'charts/node_modules/values.schema.json': `{"$ref": "${url}/30"}`,
      }),
    },
    {
      name: 'chart-values-url',
      files: {
        ...chart('.Values.class'),
        'in/app.yaml': application(`path: attacks/chart-values-url, helm: {valueFiles: ["${url}/31"]}`),
      },
    },
    { name: 'chart-dns', files: chart(`getHostByName "${url.slice(7).split(':')[0]!}"`) },
    { name: 'chart-lookup', files: chart('(lookup "v1" "Secret" "d" "s").data') },
    {
      name: 'argo-patch-url',
      files: kustomization('resources: [pod.yaml]\n', {
        'in/app.yaml': application(
          `path: attacks/argo-patch-url, kustomize: {patches: [{path: "${url}/32"}], components: ["${url}/33"]}`,
        ),
      }),
    },
    {
      name: 'release-renderer-url',
      files: {
        ...chart('.Values.none'),
        'in/h.yaml': helmRelease(
          `postRenderers: [{kustomize: {patchesStrategicMerge: [{path: "${url}/34"}], patches: [{path: "${url}/35"}]}}]`,
          './attacks/release-renderer-url',
        ),
      },
    },
    // Programs.
    {
      name: 'exec',
      files: kustomization('resources: [pod.yaml]\ntransformers: [t.yaml]\n', {
        't.yaml': `apiVersion: v1\nkind: X\nmetadata: {name: x, annotations: {config.kubernetes.io/function: "exec: {path: ./run.sh}"}}\n`,
        'run.sh': `#!/bin/sh\n: > ${outside}/RAN\n`,
      }),
    },
    // Aliases that expand without end, in every file that a tool reads.
    { name: 'bomb-values', files: chart('.Values.i | toYaml | len', { 'values.yaml': bomb('i') }) },
    {
      name: 'bomb-resource',
      files: {
        'kustomization.yaml': 'resources: [b.yaml]\n',
        'b.yaml': `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: b}\n${bomb('data')}`,
      },
    },
    {
      name: 'bomb-patch',
      files: kustomization('resources: [pod.yaml]\npatches: [{path: b.yaml}]\n', {
        'b.yaml': `apiVersion: v1\nkind: Pod\nmetadata: {name: web}\n${bomb('spec')}`,
      }),
    },
    { name: 'bomb-kustomization', files: kustomization(`resources: [pod.yaml]\n${bomb('commonLabels')}`) },
  ];
}

/** A second list: how a value is written, where it leads by, and who reads it. */
function moreAttacks(url: string, outside: string): readonly Attack[] {
  const out = '../../../private';
  const making = (name: string, text: string, more: Attack['files'] = {}): Attack => ({
    name,
    files: kustomization('resources: [pod.yaml]\ntransformers: [t.yaml]\n', { 't.yaml': text, ...more }),
  });
  /** A transformer whose path is put together when its folder is built. */
  const computed = (name: string, change: string): Attack => ({
    name: `computed-${name}`,
    files: kustomization('resources: [pod.yaml]\ntransformers: [t]\n', {
      't/kustomization.yaml': `resources: [t.yaml]\n${change}\n`,
      't/t.yaml':
        'apiVersion: builtin\nkind: PatchTransformer\nmetadata: {name: p}\ntarget: {kind: Pod}\npath: pod.yaml\n',
    }),
  });
  const patched = (path: string): string =>
    `patches: [{target: {kind: PatchTransformer}, patch: '[{"op": "replace", "path": "/path", "value": "${path}"}]'}]`;
  const inflating = (name: string, text: string, more: Attack['files'] = {}): Attack => ({
    name: `charts-${name}`,
    files: kustomization(`${text}\n`, {
      'charts/c/Chart.yaml': chartHead,
      'charts/c/templates/pod.yaml': template('.Values.class'),
      ...more,
    }),
  });
  const helmfile = (name: string, release: string, more = ''): Attack => ({
    name: `helmfile-${name}`,
    files: { ...chart('.Values.class'), 'in/helmfile.yaml': `${more}releases:\n  - {name: r, ${release}}\n` },
  });
  const ran = `#!/bin/sh\n: > ${outside}/RAN\n`;
  const packed = (entries: readonly ArchiveEntry[]): Buffer =>
    archiveOf([{ path: 'sub/Chart.yaml', content: chartHead.replace('name: c', 'name: sub') }, ...entries]);
  return [
    // The same value, written otherwise.
    { name: 'files-quoted', files: stealing(`"config\\u004dapGenerator": [{name: k, "file\\x73": ["k=${out}/key"]}]`) },
    {
      name: 'files-escapes',
      files: stealing(`configMapGenerator: [{name: k, files: ["k=..\\x2f..\\u002f..\\U0000002fprivate/key"]}]`),
    },
    {
      name: 'files-merge',
      files: stealing(`x: &x {files: ["k=${out}/key"]}\nconfigMapGenerator: [{name: k, <<: *x}]`),
    },
    {
      name: 'files-unkeyed',
      files: kustomization(
        `configMapGenerator: [{name: k, files: [${out}/key]}]\n${copying.replace('data.k', 'data.key')}`,
      ),
    },
    {
      name: 'files-dots',
      files: stealing(`configMapGenerator: [{name: k, files: ["k=./a/..//./..//../..//private/./key"]}]`),
    },
    {
      name: 'files-percent',
      files: stealing(`configMapGenerator: [{name: k, files: ["k=%2e%2e/%2e%2e/%2e%2e/private/key"]}]`),
    },
    { name: 'files-url', files: stealing(`configMapGenerator: [{name: k, files: ["k=file://${outside}/key"]}]`) },
    { name: 'files-variable', files: stealing(`configMapGenerator: [{name: k, files: ["k=$SECRET", "k2=~/key"]}]`) },
    {
      name: 'patches-json',
      files: { 'kustomization.yaml': `{"patc\\u0068es": [{"p\\u0061th": "${out}/patch.yaml"}]}` },
    },
    { name: 'name-yml', files: { 'kustomization.yml': `resources: [${out}]\n` } },
    { name: 'name-plain', files: { Kustomization: `resources: [${out}]\n` } },
    {
      name: 'name-both',
      files: { 'kustomization.yaml': 'namePrefix: a-\n', Kustomization: `resources: [${out}]\n` },
    },
    // What lies in the environment.
    {
      name: 'environment',
      files: kustomization(
        `configMapGenerator: [{name: k, envs: [a.env]}]\n${copying.replace('data.k', 'data.SECRET')}`,
        { 'a.env': 'SECRET\n' },
      ),
    },
    { name: 'environment-chart', files: chart('env "SECRET"') },
    { name: 'environment-expanded', files: chart('expandenv "$SECRET"') },
    // Schemas.
    {
      name: 'openapi-ref',
      files: kustomization('resources: [pod.yaml]\nopenapi: {path: s.json}\n', {
        's.json': `{"definitions": {"a": {"$ref": "${url}/50"}, "b": {"$ref": "file://${outside}/schema.json"}}}`,
      }),
    },
    {
      name: 'openapi-link',
      files: kustomization('resources: [pod.yaml]\nOpenApi: {Path: s.json}\n'),
      links: { 's.json': `${out}/key` },
    },
    {
      name: 'openapi-absolute',
      files: kustomization(`resources: [pod.yaml]\n"openap\\u0069": {path: ${outside}/key}\n`),
    },
    {
      name: 'crds-ref',
      files: kustomization('resources: [pod.yaml]\ncrds: [s.json]\n', {
        's.json': `{"a": {"Schema": {"properties": {"spec": {"$ref": "${url}/51"}}}}}`,
      }),
    },
    {
      name: 'crds-link',
      files: kustomization('resources: [pod.yaml]\ncrds: [s.json]\n'),
      links: { 's.json': `${out}/key` },
    },
    { name: 'crds-remote', files: kustomization(`resources: [pod.yaml]\n"cr\\u0064s": ["${url}/52"]\n`) },
    // Charts that a kustomization takes in.
    inflating('home', `helmGlobals: {chartHome: ${out}}\nhelmCharts: [{name: chart}]`),
    inflating('home-absolute', `HelmGlobals: {ChartHome: ${outside}}\nHelmCharts: [{Name: chart}]`),
    inflating('config', `helmGlobals: {configHome: ${out}}\nhelmCharts: [{name: c}]`),
    inflating('values', `helmCharts: [{name: c, valuesFile: ${out}/values.yaml}]`),
    inflating('additional', `helmCharts: [{name: c, additionalValuesFiles: [${outside}/values.yaml]}]`),
    inflating('values-case', `helmcharts: [{name: c, ValuesFile: ${out}/values.yaml}]`),
    inflating('up', `helmCharts: [{name: ../${out}/chart}]`),
    inflating(
      'options',
      `helmCharts: [{name: c, releaseName: "--post-renderer=./run.sh", namespace: "--values=${outside}/values.yaml", version: "--repo=${url}/53"}]`,
      { 'run.sh': ran },
    ),
    inflating(
      'inflator',
      `helmChartInflationGenerator: [{chartName: c, chartHome: charts, helmBin: ./run.sh, values: ${out}/values.yaml}]`,
      { 'run.sh': ran },
    ),
    inflating('schema', 'helmCharts: [{name: c, valuesInline: {class: a}}]', {
      'charts/c/values.schema.json': `{"$ref": "${url}/54"}`,
    }),
    { ...inflating('link', 'helmCharts: [{name: sub}]'), links: { 'charts/sub': `../${out}/chart` } },
    making(
      'generator-values',
      `apiVersion: builtin\nkind: HelmChartInflationGenerator\nmetadata: {name: i}\nname: c\nvaluesFile: ${out}/values.yaml\n`,
    ),
    // Generators and transformers.
    making(
      'list',
      `apiVersion: v1\nkind: List\nitems:\n  - {apiVersion: builtin, kind: PatchTransformer, metadata: {name: p}, target: {kind: Pod}, path: "${url}/55"}\n  - {apiVersion: builtin, kind: PatchTransformer, metadata: {name: q}, target: {kind: Pod}, path: ${out}/patch.yaml}\n`,
    ),
    making(
      'paths',
      `apiVersion: builtin\nkind: PatchStrategicMergeTransformer\nmetadata: {name: p}\npaths: [${out}/patch.yaml]\n`,
    ),
    making(
      'json',
      `apiVersion: builtin\nkind: PatchJson6902Transformer\nmetadata: {name: p}\ntarget: {version: v1, kind: Pod, name: web}\nPath: ${out}/patch.json\n`,
    ),
    making(
      'replacement',
      `apiVersion: builtin\nkind: ReplacementTransformer\nmetadata: {name: p}\nreplacements: [{path: ${out}/replacement.yaml}]\n`,
    ),
    {
      name: 'secret-generator',
      files: stealing(
        `generators: [{apiVersion: builtin, kind: SecretGenerator, metadata: {name: k}, envs: [${out}/env]}]`,
      ),
    },
    {
      name: 'secret-written',
      files: stealing(
        `generators: ["{apiVersion: builtin, kind: SecretGenerator, metadata: {name: k}, Env: ${out}/env}"]`,
      ),
    },
    { name: 'validators', files: kustomization(`resources: [pod.yaml]\nVALIDATORS: [${out}/pod.yaml]\n`) },
    computed('url', patched(`${url}/56`)),
    computed('file', patched(`${out}/patch.yaml`)),
    computed(
      'prefix',
      `namePrefix: "http:"\nreplacements: [{source: {kind: PatchTransformer, fieldPath: metadata.name}, targets: [{select: {kind: PatchTransformer}, fieldPaths: [path]}]}]\nnameSuffix: "//${url.slice(7)}/57"`,
    ),
    computed(
      'configmap',
      `configMapGenerator: [{name: k, literals: ["k=//${url.slice(7)}/58"]}]\ngeneratorOptions: {disableNameSuffixHash: true}\nreplacements: [{source: {kind: ConfigMap, name: k, fieldPath: data.k}, targets: [{select: {kind: PatchTransformer}, fieldPaths: [path], options: {delimiter: ":", index: 1}}]}]\npatches: [{target: {kind: PatchTransformer}, patch: '[{"op": "replace", "path": "/path", "value": "http:x"}]'}]`,
    ),
    computed(
      'kind',
      `patches: [{target: {kind: PatchTransformer}, options: {allowKindChange: true}, patch: '[{"op": "replace", "path": "/kind", "value": "ReplacementTransformer"}, {"op": "add", "path": "/replacements", "value": [{"path": "${url}/59"}]}, {"op": "remove", "path": "/path"}, {"op": "remove", "path": "/target"}]'}]`,
    ),
    making(
      'container',
      'apiVersion: v1\nkind: X\nmetadata: {name: x, annotations: {config.kubernetes.io/function: "container: {image: a, network: true}"}}\n',
    ),
    making(
      'starlark',
      `apiVersion: v1\nkind: X\nmetadata: {name: x, annotations: {config.kubernetes.io/function: "starlark: {path: ${out}/key, url: '${url}/60', name: a}"}}\n`,
    ),
    making('go-plugin', 'apiVersion: a.example/v1\nkind: Exec\nmetadata: {name: x}\n', {
      'plugin/a.example/v1/exec/Exec': ran,
    }),
    // Charts, and what is packed in them.
    {
      name: 'archive-schema',
      files: {
        ...chart('.Values.none'),
        'charts/sub-1.0.0.tgz': packed([{ path: 'sub/values.schema.json', content: `{"$ref": "${url}/61"}` }]),
      },
    },
    {
      name: 'archive-link',
      files: {
        ...chart('.Values.none'),
        'charts/sub-1.0.0.tgz': packed([{ path: 'sub/templates/p.yaml', linkTo: `${outside}/pod.yaml` }]),
      },
    },
    {
      name: 'archive-up',
      files: {
        ...chart('.Values.none'),
        'charts/sub-1.0.0.tgz': packed([
          { path: `sub/../../../../..${outside}/RAN`, content: 'ran' },
          { path: 'sub/templates/p.yaml', content: pod(`{{ .Files.Get "../../../../private/key" }}`) },
        ]),
      },
    },
    { name: 'archive-outside', files: chart('.Values.none'), links: { 'charts/sub-1.0.0.tgz': `../${out}/key` } },
    {
      name: 'ignore-negated',
      files: chart('.Files.Get "key" | trim', { '.helmignore': `!../../../private/key\n!${outside}/*\n` }),
    },
    { name: 'ignore-link', files: chart('.Values.none'), links: { '.helmignore': `${out}/key` } },
    {
      name: 'chart-link-chart',
      files: { 'templates/pod.yaml': template('.Chart.Name') },
      links: { 'Chart.yaml': `${out}/key` },
      isQuiet: true,
    },
    { name: 'chart-link-lock', files: chart('.Values.none'), links: { 'Chart.lock': `${out}/key` } },
    {
      name: 'chart-link-variant',
      files: chart('.Values.class'),
      links: { 'values-prod.yaml': `${out}/values.yaml`, 'ci/a-values.yaml': `../${out}/values.yaml` },
    },
    { name: 'chart-link-schema', files: chart('.Values.class'), links: { 'values.schema.json': `${out}/schema.json` } },
    {
      name: 'chart-requirements',
      files: {
        ...chart('.Values.none', {
          'requirements.yaml': `dependencies: [{name: sub, version: 1.0.0, repository: "file://${out}/chart"}]\n`,
        }),
        'Chart.yaml': chartHead.replace('v2', 'v1'),
      },
    },
    {
      name: 'chart-dependency',
      files: {
        ...chart('.Values.none'),
        'Chart.yaml': `${chartHead}dependencies: [{name: sub, version: 1.0.0, repository: "${url}/62"}]\n`,
      },
    },
    { name: 'chart-tpl', files: chart(`tpl (printf "{{ .Files.Get %q }}" "${out}/key") $`) },
    { name: 'chart-lines', files: chart(`first (.Files.Lines "../${out}/key")`) },
    {
      name: 'chart-source',
      files: {
        'Chart.yaml': chartHead,
        'templates/pod.yaml': `# Source: c/../../../private/pod.yaml\n${pod('none')}---\n# Source: ../../../../private/values.yaml\n${pod('x', 'y')}`,
      },
    },
    {
      name: 'chart-schema-base',
      files: schema(`{"id": "${url}/63/", "definitions": {"a": {"$ref": "a.json"}}, "$ref": "#/definitions/a"}`),
    },
    { name: 'chart-schema-twice', files: schema(`{"$ref": "#/a", "$ref": "${url}/64", "a": {}}`) },
    // Places that an object says it comes from.
    {
      name: 'origin',
      files: {
        'kustomization.yaml': 'resources: [pod.yaml]\n',
        'pod.yaml': pod('none').replace(
          '{name: web}',
          `{name: web, annotations: {config.kubernetes.io/origin: "path: ${out}/pod.yaml", alpha.config.kubernetes.io/transformations: "- configuredIn: ${out}/kustomization.yaml", internal.config.kubernetes.io/path: "${out}/pod.yaml"}}`,
        ),
      },
    },
    // Helmfile.
    helmfile('values', `chart: .., values: ["../${out}/values.yaml", "${outside}/values.yaml"]`),
    helmfile('chart', `chart: ../${out}/chart`),
    helmfile('remote', `chart: c/c`, `repositories: [{name: c, url: "${url}/65"}]\n`),
    helmfile(
      'options',
      `chart: .., set: [{name: class, file: "../${out}/key"}], postRenderer: ../run.sh, kubeContext: "--post-renderer=x", hooks: [{events: [prepare], command: ../run.sh}]`,
      `helmBinary: ../run.sh\nhelmDefaults: {args: ["--values=${outside}/values.yaml"], postRenderer: ../run.sh}\n`,
    ),
    helmfile(
      'templates',
      `chart: .., values: ['{{ exec "cat" (list "${outside}/key") }}', {class: '{{ readFile "${outside}/key" }}'}]`,
    ),
    helmfile(
      'others',
      'chart: ..',
      `bases: [../${out}/values.yaml]\nhelmfiles: [../${out}/values.yaml, {path: "${url}/66"}]\nenvironments: {default: {values: [../${out}/values.yaml]}}\n`,
    ),
    // Objects of Flux and Argo CD.
    {
      name: 'argo-ref',
      files: {
        ...chart('.Values.class'),
        'in/app.yaml': `apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: a, namespace: argocd}\nspec: {destination: {namespace: d}, sources: [{repoURL: '', ref: v}, {repoURL: '', path: attacks/argo-ref, helm: {valueFiles: ["$v/../private/values.yaml", "$v/attacks/../../private/values.yaml"]}}]}\n`,
      },
    },
    {
      name: 'argo-directory',
      files: {
        'in/app.yaml': application(
          'path: attacks/argo-directory/in, directory: {recurse: true, include: "../../../../private/*.yaml", jsonnet: {libs: ["../../../../private"]}}',
        ),
      },
    },
    {
      name: 'argo-plugin',
      files: {
        'in/app.yaml': application(
          `path: attacks/argo-plugin/in, plugin: {name: x, env: [{name: A, value: "${outside}/key"}]}`,
        ),
        'in/run.sh': ran,
      },
    },
    {
      name: 'argo-helm-options',
      files: {
        ...chart('.Values.k'),
        'in/app.yaml': application(
          `path: attacks/argo-helm-options, helm: {kubeVersion: "--post-renderer=/bin/sh", apiVersions: ["--set-file=k=${outside}/key"], values: "--set-file k=${outside}/key", parameters: [{name: "k", value: "@${outside}/key"}]}`,
        ),
      },
    },
    { name: 'release-chart', files: { 'h.yaml': helmRelease('values: {}', '../private/chart') } },
    {
      name: 'release-target',
      files: {
        ...chart('.Values.k'),
        'in/h.yaml': `${helmRelease(`valuesFrom: [{kind: ConfigMap, name: v, valuesKey: k, targetPath: "k=a,--set-file=k"}, {kind: ConfigMap, name: v, valuesKey: ../../../private/key}]`, './attacks/release-target')}---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: v, namespace: h}\ndata: {k: "${outside}/key"}\n`,
      },
    },
    {
      name: 'artifact',
      files: {
        'in/a.yaml': `apiVersion: source.extensions.fluxcd.io/v1beta1\nkind: ArtifactGenerator\nmetadata: {name: g, namespace: f}\nspec: {sources: [{alias: r, kind: GitRepository, name: g}], artifacts: [{name: art, copy: [{from: "@r/../private/**", to: "@artifact/"}]}]}\n---\n${flux('path: ./').replace('kind: GitRepository, name: g', 'kind: ExternalArtifact, name: art')}`,
      },
    },
    // Links.
    {
      name: 'link-loop',
      files: stealing('configMapGenerator: [{name: k, files: [k=a/key]}]'),
      links: { a: 'b', b: 'a', c: '.' },
    },
    {
      name: 'link-environment',
      files: stealing('configMapGenerator: [{name: k, files: [k=e]}]'),
      links: { e: '/proc/self/environ' },
    },
    {
      name: 'link-process',
      files: stealing('configMapGenerator: [{name: k, files: [k=p/private/key]}]'),
      links: { p: '/proc/self/cwd/..' },
    },
    {
      name: 'link-up',
      files: stealing('configMapGenerator: [{name: k, files: [k=up/up/up/private/key]}]'),
      links: { up: '..' },
    },
    {
      name: 'link-other',
      files: stealing('configMapGenerator: [{name: k, files: [k=o/key]}]'),
      links: { o: '../link-base/base' },
    },
    { name: 'link-words', files: { 'kustomization.yaml': 'resources: [p.yaml]\n' }, links: { 'p.yaml': `${out}/key` } },
    { name: 'chart-link-other', files: chart('.Files.Get "o/key"'), links: { o: '../link-base/base' } },
    {
      name: 'git-nested',
      files: stealing('configMapGenerator: [{name: k, files: [k=sub/.Git/config]}]', { 'sub/.Git/config': canary }),
    },
    { name: 'git-chart', files: chart('.Files.Get ".git/config"', { '.git/config': canary, '.ssh/id': canary }) },
    // The project's own file.
    {
      name: 'project-file',
      files: {
        'podium.yaml': `snapshot: ${out}/key\nbaseline: ${out}/key\ntargets: [${out}]\n`,
        'pod.yaml': pod('none'),
      },
      isQuiet: true,
    },
  ];
}

/** Those that were found first. Each is tried at every door, the others at some of them. */
export const firstAttacks = [
  ...['generators', 'files-case', 'patches-case', 'resources-fold', 'resources-folder', 'git', 'link-base'],
  ...['chart-link-file', 'chart-link-folder', 'chart-link-deep', 'remote-resources', 'plugin-escapes'],
  ...['schema-ref', 'schema-subchart', 'flux-files', 'argo-path', 'bomb-values', 'bomb-resource'],
  ...['computed-url', 'computed-kind', 'environment'],
] as const;

/** A value of 10^9 parts. */
function bomb(last: string): string {
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', last];
  return names
    .map((name, at) => {
      const before = names[at - 1];
      const items = before === undefined ? 'x' : `*${before}`;
      return `${name}: &${name} [${Array.from({ length: 10 }, () => items).join(', ')}]\n`;
    })
    .join('');
}

export interface AttackedFolder {
  /** The repository, with an attack in each folder of `attacks`. */
  readonly repository: string;
  readonly outside: string;
  readonly attacks: readonly Attack[];
  /** Paths that the server on this machine was asked for. */
  readonly asked: readonly string[];
  stop(): Promise<void>;
}

function write(folder: string, { files, links = {} }: Pick<Attack, 'files' | 'links'>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text, { mode: 0o755 });
  }
  for (const [path, target] of Object.entries(links)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    symlinkSync(target, join(folder, path));
  }
}

/** Writes all of them below a folder. */
export async function attackedFolder(folder: string): Promise<AttackedFolder> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    response.end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const outside = join(folder, 'private');
  const repository = join(folder, 'repository');
  write(outside, {
    files: {
      key: canary,
      env: `k=${canary}\n`,
      'patch.yaml': pod(canary),
      'patch.json': `[{"op": "add", "path": "/spec/priorityClassName", "value": "${canary}"}]`,
      'replacement.yaml': `[{source: {kind: Pod, fieldPath: metadata.name}, targets: [{select: {kind: Pod}, fieldPaths: [${canary}]}]}]\n`,
      'pod.yaml': pod(canary, 'secret'),
      'values.yaml': `class: ${canary}\n`,
      'schema.json': `{"required": ["${canary}"]}`,
      'kustomization.yaml': 'resources: [pod.yaml]\n',
      'component/kustomization.yaml': 'kind: Component\nresources: [pod.yaml]\n',
      'component/pod.yaml': pod(canary, 'secret'),
      'chart/Chart.yaml': chartHead.replace('name: c', 'name: sub'),
      'chart/templates/pod.yaml': pod(canary, 'secret'),
    },
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const all = [...attacks(url, outside), ...moreAttacks(url, outside)];
  write(repository, { files: Object.fromEntries(secretPaths.map((path) => [path, canary])) });
  for (const attack of all) write(join(repository, 'attacks', attack.name), attack);
  const git = (...args: string[]): void => {
    execFileSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@podium.example', ...args], {
      cwd: repository,
      stdio: 'ignore',
    });
  };
  git('init', '-q', '-b', 'main');
  writeFileSync(join(repository, 'base.yaml'), pod('none', 'base'));
  git('add', 'base.yaml');
  git('commit', '-qm', 'base');
  git('config', 'http.extraheader', canary);
  return {
    repository,
    outside,
    attacks: all,
    asked,
    stop: () =>
      new Promise((resolve) =>
        server.close(() => {
          resolve();
        }),
      ),
  };
}
