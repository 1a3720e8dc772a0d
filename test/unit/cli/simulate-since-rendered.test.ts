import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { rename, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { it } from 'mocha';
import type { Report } from '../../../server/src/report-model/report.ts';
import { describeWithTools, toolFolder } from '../../support/kubernetes-tools.ts';
import { temporaryTree } from '../sources/temporary-tree.ts';
import { podium } from './run-podium.ts';

const run = promisify(execFile);

const node = (cpu: string): string =>
  `apiVersion: v1\nkind: Node\nmetadata: { name: node-a }\nstatus: { allocatable: { cpu: "${cpu}", memory: 8Gi, pods: "10" } }\n`;

describeWithTools('podium simulate --since of what tools render', () => {
  const tree = temporaryTree();
  const git = (...args: string[]) =>
    run('git', ['-c', 'user.name=test', '-c', 'user.email=test@example.com', ...args], { cwd: tree.root });
  const deployment = (replicas: string, cpu: string): string =>
    `apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: web }\nspec:\n  replicas: ${replicas}\n  selector: { matchLabels: { app: web } }\n  template:\n    metadata: { labels: { app: web } }\n    spec:\n      containers:\n        - name: web\n          image: web\n          resources:\n            requests:\n${cpu}`;
  async function placesOf(...paths: readonly string[]): Promise<readonly string[]> {
    const env = { PATH: `${toolFolder('v34')}:${process.env['PATH'] ?? ''}` };
    const { stdout } = await podium(['simulate', ...paths, '--since', 'HEAD'], { cwd: tree.root, env });
    return [...stdout.matchAll(/^ {2}~ Deployment [^]*?(\S+\.\w+:\d+)$/gm)].map(([, place = '']) => place);
  }

  it('[#33] leaves a Job as it is that has more pods refused by a quota than may fail', async () => {
    const requests = (cpu: string): string =>
      `containers: [{ name: main, image: app, resources: { requests: { cpu: "${cpu}", memory: 1Gi } } }]`;
    const web = (replicas: number): string => `apiVersion: apps/v1
kind: Deployment
metadata: { name: web, namespace: shop }
spec:
  replicas: ${replicas}
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec: { ${requests('500m')} }
`;
    tree.write({
      'node.yaml': node('8'),
      'web.yaml': web(2),
      'quota.yaml': `apiVersion: v1
kind: ResourceQuota
metadata: { name: cpu, namespace: night }
spec: { hard: { requests.cpu: "12" } }
`,
      'nightly.yaml': `apiVersion: batch/v1
kind: CronJob
metadata: { name: nightly, namespace: night }
spec:
  schedule: "0 2 * * *"
  jobTemplate:
    spec:
      parallelism: 20
      completions: 20
      template: { spec: { restartPolicy: Never, ${requests('3')} } }
`,
    });
    await git('init', '--quiet');
    await git('add', '.');
    await git('commit', '--quiet', '--message', 'first');
    tree.write({ 'web.yaml': web(3) });
    const { stdout } = await podium(['simulate', '.', '--since', 'HEAD', '--format', 'json'], { cwd: tree.root });
    const { comparison, remedies } = JSON.parse(stdout) as Report;
    assert.deepEqual(
      comparison!.pods.map(({ kind, name }) => `${kind} ${name.replace(/-.*/, '')}`),
      ['added web'],
    );
    // A larger quota would have them wait instead.
    assert.deepEqual(
      remedies!.filter(({ group, whatIf }) => group === 'refused' && whatIf.length > 0),
      [],
    );
  });

  it('[#33] [#36] compares a target with itself, not with the one that is preferred', async () => {
    const overlay = (replicas: number): string =>
      `resources: [../../base]\npatches:\n  - target: { kind: Deployment, name: web }\n    patch: |-\n      - op: replace\n        path: /spec/replicas\n        value: ${replicas}\n`;
    tree.write({
      'base/web.yaml': deployment('1', '              cpu: 100m\n'),
      'base/kustomization.yaml': 'resources: [web.yaml]\n',
      'overlays/prod/kustomization.yaml': overlay(3),
      'overlays/staging/kustomization.yaml': overlay(2),
    });
    await git('init', '--quiet');
    await git('add', '.');
    await git('commit', '--quiet', '--message', 'first');
    assert.deepEqual(await placesOf('.', '--target', 'staging'), []);
    tree.write({ 'overlays/staging/kustomization.yaml': overlay(4) });
    assert.deepEqual(await placesOf('.', '--target', 'prod'), []);
    assert.deepEqual(await placesOf('.', '--target', 'staging'), ['overlays/staging/kustomization.yaml:7']);
    assert.deepEqual(await placesOf('.'), ['overlays/staging/kustomization.yaml:7']);
  });

  it('[ED-5] [#33] compares what is taken from beyond the path that is named', async () => {
    const overlay = (base: string): string => `resources: [../../${base}]\n`;
    const web = deployment('1', '              cpu: 100m\n');
    tree.write({
      'base/web.yaml': web,
      'base/kustomization.yaml': 'resources: [web.yaml]\n',
      'overlays/prod/kustomization.yaml': overlay('base'),
      // Nobody asks for it.
      'overlays/dev/kustomization.yaml': overlay('base'),
    });
    await git('init', '--quiet');
    await git('add', '.');
    await git('commit', '--quiet', '--message', 'first');
    assert.deepEqual(await placesOf('overlays/prod'), []);
    tree.write({ 'base/web.yaml': web.replace('100m', '200m') });
    assert.deepEqual(await placesOf('overlays/prod'), ['base/web.yaml:15']);
    await rename(join(tree.root, 'base'), join(tree.root, 'common'));
    tree.write({ 'overlays/prod/kustomization.yaml': overlay('common') });
    assert.deepEqual(await placesOf('overlays/prod'), ['common/web.yaml:15']);
    tree.write({
      'chart/Chart.yaml':
        'apiVersion: v2\nname: web\nversion: 1.0.0\ndependencies: [{ name: lib, version: 1.0.0, repository: "file://../lib" }]\n',
      'chart/values.yaml': 'replicas: 1\n',
      'chart/templates/web.yaml': deployment('{{ .Values.replicas }}', '              cpu: {{ include "cpu" . }}\n'),
      'lib/Chart.yaml': 'apiVersion: v2\nname: lib\nversion: 1.0.0\n',
      'lib/templates/_cpu.tpl': '{{ define "cpu" }}100m{{ end }}\n',
      'env/prod.yaml': 'replicas: 2\n',
    });
    await git('add', '.');
    await git('commit', '--quiet', '--message', 'second');
    const chart = ['chart', '--values', 'env/prod.yaml'];
    assert.deepEqual(await placesOf(...chart), []);
    tree.write({ 'env/prod.yaml': 'replicas: 3\n' });
    assert.deepEqual(await placesOf(...chart), ['env/prod.yaml:1']);
    tree.write({ 'env/prod.yaml': 'replicas: 2\n', 'lib/templates/_cpu.tpl': '{{ define "cpu" }}200m{{ end }}\n' });
    assert.deepEqual(await placesOf(...chart), ['lib/templates/_cpu.tpl:1']);
  });

  it('[#36] applies a Kustomization of Flux as it changes itself, and compares a folder in it that has a kustomization', async () => {
    const flux = 'apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\n';
    const named = `${flux}metadata: { name: flux-system, namespace: flux-system }\n`;
    tree.write({
      'clusters/prod/web.yaml': deployment('${replicas}', '              cpu: 100m\n'),
      'clusters/prod/flux-system/sync.yaml': `${named}spec: { path: ./clusters/prod, sourceRef: { kind: GitRepository, name: flux-system } }\n`,
      'clusters/prod/flux-system/variables.yaml': `${named}spec: { postBuild: { substitute: { replicas: "3" } } }\n`,
      'clusters/prod/flux-system/kustomization.yaml': 'resources: [sync.yaml]\npatches: [{ path: variables.yaml }]\n',
    });
    await git('init', '--quiet');
    await git('add', '.');
    await git('commit', '--quiet', '--message', 'first');
    assert.deepEqual(await placesOf('clusters/prod'), []);
    tree.write({
      'clusters/prod/flux-system/variables.yaml': `${named}spec: { postBuild: { substitute: { replicas: "4" } } }\n`,
    });
    assert.equal((await placesOf('clusters/prod')).length, 1);
  });

  it('[ED-5] [#33] finds files of the commit that are gone, and leaves those out that have come', async () => {
    const api = deployment('1', '              cpu: 100m\n').replaceAll('web', 'api');
    tree.write({
      'chart/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
      'chart/templates/web.yaml': deployment('1', '              cpu: {{ include "cpu" . }}\n'),
      'chart/templates/old/api.yaml': api,
      'chart/templates/old/_cpu.tpl': '{{ define "cpu" }}100m{{ end }}\n',
    });
    await git('init', '--quiet');
    await git('add', '.');
    await git('commit', '--quiet', '--message', 'first');
    await rm(join(tree.root, 'chart/templates/old'), { recursive: true });
    tree.write({
      'chart/templates/_cpu.tpl': '{{ define "cpu" }}200m{{ end }}\n',
      'chart/templates/new.yaml': deployment('1', '              cpu: 100m\n').replaceAll('web', 'new'),
    });
    const env = { PATH: `${toolFolder('v34')}:${process.env['PATH'] ?? ''}` };
    const asked = ['simulate', 'chart', '--since', 'HEAD', '--prune', '--format', 'json'];
    const { stdout } = await podium(asked, { cwd: tree.root, env });
    const { comparison } = JSON.parse(stdout) as Report;
    assert.deepEqual(
      comparison!.causes.map(({ object, old, new: now }) => [object.replace(/.*\//, ''), old, now]).sort(),
      [
        ['api', 'removed', null],
        ['new', null, 'added'],
        ['web', '100m', '200m'],
      ],
    );
  });

  it('[#36] compares what is read through links of the commit with what they lead to', async () => {
    tree.write({
      'values/web.yaml': 'cpu: 100m\n',
      'chart/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
      'chart/templates/web.yaml': deployment('1', '              cpu: {{ .Values.cpu }}\n'),
    });
    await symlink('../values/web.yaml', join(tree.root, 'chart/values.yaml'));
    await git('init', '--quiet');
    await git('add', '.');
    await git('commit', '--quiet', '--message', 'first');
    const env = { PATH: `${toolFolder('v34')}:${process.env['PATH'] ?? ''}` };
    const changed = async (): Promise<unknown> => {
      const asked = ['simulate', '.', '--since', 'HEAD', '--format', 'json'];
      const { comparison } = JSON.parse((await podium(asked, { cwd: tree.root, env })).stdout) as Report;
      return comparison!.causes.map(({ old, new: now }) => [old, now]);
    };
    assert.deepEqual(await changed(), []);
    tree.write({ 'values/web.yaml': 'cpu: 200m\n' });
    assert.deepEqual(await changed(), [['100m', '200m']]);
  });

  it('[#33] removes what Helm, Flux and Argo CD remove by themselves, and nothing that says that it stays', async () => {
    const workload = (name: string, annotation = ''): string => {
      const noted = annotation === '' ? '' : `, annotations: { ${annotation} }`;
      const text = deployment('1', '              cpu: 100m\n').replaceAll('web', name);
      return text.replace(`metadata: { name: ${name} }`, `metadata: { name: ${name}${noted} }`);
    };
    const flux = (prunes: boolean): string =>
      `apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: { name: apps, namespace: flux-system }\nspec:\n  path: ./apps\n  prune: ${prunes}\n  interval: 1h\n  sourceRef: { kind: GitRepository, name: flux-system }\n`;
    const argo = (prunes: boolean): string =>
      `apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: { name: apps, namespace: argocd }\nspec:\n  project: default\n  destination: { namespace: default, server: https://kubernetes.default.svc }\n  source: { repoURL: https://example.com/repo.git, path: apps }\n  syncPolicy: { automated: { prune: ${prunes} } }\n`;
    await git('init', '--quiet');
    const env = { PATH: `${toolFolder('v34')}:${process.env['PATH'] ?? ''}` };
    const removedFrom = async (path: string, files: Readonly<Record<string, string>>, gone: readonly string[]) => {
      const places = ['chart', 'apps', 'clusters'];
      for (const place of places) await rm(join(tree.root, place), { recursive: true, force: true });
      tree.write(files);
      await git('add', '--all', '.');
      await git('commit', '--quiet', '--allow-empty', '--message', 'before');
      for (const name of gone) await rm(join(tree.root, name));
      tree.write({ 'apps/kustomization.yaml': 'resources: [stays.yaml]\n' });
      const asked = ['simulate', path, '--since', 'HEAD', '--format', 'json'];
      const { stdout } = await podium(asked, { cwd: tree.root, env });
      const { comparison, events } = JSON.parse(stdout) as Report;
      const removed = comparison!.causes.filter(({ new: now }) => now === null).map(({ object }) => object);
      return [removed, events.map(({ text }) => text)];
    };
    const chart = {
      'chart/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
      'chart/templates/stays.yaml': workload('stays'),
      'chart/templates/web.yaml': workload('web'),
      'chart/templates/kept.yaml': workload('kept', 'helm.sh/resource-policy: keep'),
    };
    const gone = ['chart/templates/web.yaml', 'chart/templates/kept.yaml'];
    assert.deepEqual(await removedFrom('chart', chart, gone), [
      ['Deployment/default/web'],
      ['not written any more: Deployment/default/kept'],
    ]);
    const apps = {
      'apps/kustomization.yaml': 'resources: [stays.yaml, api.yaml, db.yaml]\n',
      'apps/stays.yaml': workload('stays'),
      'apps/api.yaml': workload('api'),
      'apps/db.yaml': workload(
        'db',
        'kustomize.toolkit.fluxcd.io/prune: disabled, argocd.argoproj.io/sync-options: Prune=false',
      ),
    };
    for (const made of [flux(true), argo(true)]) {
      const [removed, left] = await removedFrom('clusters', { ...apps, 'clusters/apps.yaml': made }, ['apps/api.yaml']);
      const stays = ['not written any more: Deployment/default/db'];
      assert.deepEqual([removed, left], [['Deployment/default/api'], stays], made);
    }
    for (const made of [flux(false), argo(false)]) {
      const [removed, left] = await removedFrom('clusters', { ...apps, 'clusters/apps.yaml': made }, ['apps/api.yaml']);
      assert.deepEqual([removed, left?.length], [[], 1], made);
    }
  });

  it('[#33] takes nothing that is not rendered for a change, least of all for a removal', async () => {
    const whole = {
      'chart/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
      'chart/templates/web.yaml': deployment('2', '              cpu: 100m\n'),
      'base/api.yaml': deployment('1', '              cpu: 100m\n').replaceAll('web', 'api'),
      'base/kustomization.yaml': 'resources: [api.yaml]\n',
      // Beside a source, and no part of it.
      'base/README.md': 'The api.\n',
      'prod/kustomization.yaml': 'resources: [../base]\nreplicas: [{ name: api, count: 3 }]\n',
    };
    const broken = {
      'chart/templates/web.yaml': deployment('{{ half', '              cpu: 100m\n'),
      'prod/kustomization.yaml': 'resources: [../base, ../nowhere]\nreplicas: [{ name: api, count: 3 }]\n',
    };
    await git('init', '--quiet');
    const env = { PATH: `${toolFolder('v34')}:${process.env['PATH'] ?? ''}` };
    const compared = async (before: Readonly<Record<string, string>>, now: Readonly<Record<string, string>>) => {
      tree.write({ ...whole, ...before });
      await git('add', '.');
      await git('commit', '--quiet', '--message', 'first');
      tree.write({ ...whole, ...now });
      const asked = ['simulate', '.', '--since', 'HEAD', '--prune', '--format', 'json'];
      const { stdout } = await podium(asked, { cwd: tree.root, env });
      const { answer, comparison, assumptions, workloads } = JSON.parse(stdout) as Report;
      assert.match(
        answer.headline,
        now === broken
          ? /^prod and chart have changed since git HEAD and are not rendered/
          : /^Nothing that is seen has changed since git HEAD/,
      );
      assert.deepEqual([comparison!.causes, comparison!.pods], [[], []]);
      assert.deepEqual(workloads.map(({ name, replicas }) => `${name} ${replicas}`).sort(), ['api 3', 'web 2']);
      const files = assumptions.filter(({ text }) => /files? (?:is|are) not compared/.test(text));
      assert.deepEqual(files, []);
      return assumptions.filter(({ detail }) => detail.includes('as they were committed'));
    };
    assert.deepEqual(await compared({}, broken), []);
    assert.equal((await compared(broken, {})).length, 1);
  });

  it('[#33] names what was edited and is not rendered', async () => {
    const release = (name: string, version: string): string =>
      `apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: { name: ${name}, namespace: apps }\nspec:\n  chart:\n    spec:\n      chart: ${name}\n      version: ${version}\n      sourceRef: { kind: HelmRepository, name: charts }\n`;
    const headline = async (grafana: string, loki: string): Promise<string> => {
      tree.write({ 'releases.yaml': [release('grafana', grafana), release('loki', loki)].join('---\n') });
      const { stdout } = await podium(['simulate', '.', '--since', 'HEAD', '--format', 'json'], { cwd: tree.root });
      return (JSON.parse(stdout) as Report).answer.headline;
    };
    tree.write({
      'web.yaml': deployment('2', '              cpu: 100m\n'),
      'releases.yaml': [release('grafana', '1.0.0'), release('loki', '2.0.0')].join('---\n'),
    });
    await git('init', '--quiet');
    await git('add', '.');
    await git('commit', '--quiet', '--message', 'first');
    assert.equal(
      await headline('1.0.0', '2.1.0'),
      'HelmRelease apps/loki has changed since git HEAD and is not rendered: what comes of it is not seen. Nothing else that scheduling depends on has changed.',
    );
    assert.match(
      await headline('1.1.0', '2.1.0'),
      /^HelmRelease apps\/grafana and HelmRelease apps\/loki have changed since git HEAD and are not rendered/,
    );
    tree.write({ 'web.yaml': deployment('3', '              cpu: 100m\n') });
    assert.match(await headline('1.1.0', '2.1.0'), /^Scaling web to 3: .*2 HelmReleases are not rendered/);
    // The change comes first, and what is not seen behind it.
    const { stdout } = await podium(['simulate', '.', '--since', 'HEAD'], { cwd: tree.root });
    const lines = stdout.split('\n');
    const at = (start: string): number => lines.findIndex((line) => line.trimStart().startsWith(start));
    assert.ok(at('~ Deployment') !== -1 && at('! ') > at('What is done'), stdout);
    const comment = await podium(['simulate', '.', '--since', 'HEAD', '--format', 'markdown'], { cwd: tree.root });
    assert.match(comment.stdout, /- `Deployment [^]*\n\n\*\*2 sources are not rendered/);
  });

  it('[#37] says in one line that nothing has changed, where what is not seen is as it was', async () => {
    const release = (version: string): string =>
      `apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: { name: loki, namespace: apps }\nspec: { chart: { spec: { chart: loki, version: ${version}, sourceRef: { kind: HelmRepository, name: charts } } } }\n`;
    const queue = (replicas: number): string =>
      `apiVersion: kafka.strimzi.io/v1beta2\nkind: Kafka\nmetadata: { name: queue }\nspec: { kafka: { replicas: ${replicas} } }\n`;
    const settings = (colour: string): string =>
      `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: settings }\ndata: { colour: ${colour} }\n`;
    const comment = async (files: Readonly<Record<string, string>>): Promise<string> => {
      tree.write(files);
      const asked = ['simulate', '.', '--since', 'HEAD', '--format', 'markdown'];
      const { stdout } = await podium(asked, { cwd: tree.root });
      await git('checkout', '--quiet', '.');
      return stdout;
    };
    tree.write({
      'README.md': 'The shop.\n',
      'web.yaml': deployment('2', '              cpu: 100m\n'),
      'settings.yaml': settings('red'),
      'loki.yaml': release('1.0.0'),
      'queue.yaml': queue(3),
    });
    await git('init', '--quiet');
    await git('add', '.');
    await git('commit', '--quiet', '--message', 'first');
    const nothing = '### Nothing that scheduling depends on has changed since git HEAD\n';
    assert.equal(await comment({ 'README.md': 'The shop and more.\n' }), nothing);
    assert.equal(await comment({ 'settings.yaml': settings('blue') }), nothing);
    assert.match(
      await comment({ 'loki.yaml': release('1.1.0') }),
      /^### HelmRelease apps\/loki has changed [^]*<details>/,
    );
    assert.match(await comment({ 'queue.yaml': queue(5) }), /^### Nothing that is seen has changed [^]*<details>/);
  });

  it('[ED-5] names the line of the values file, and that of the patch, that was edited', async () => {
    const values = (replicas: number, cpu: string): string =>
      `replicas: ${replicas}\nresources:\n  requests:\n    cpu: ${cpu}\n`;
    const patches = (replicas: number): string =>
      `resources: [../base]\npatches:\n  - target: { kind: Deployment, name: web }\n    patch: |-\n      - op: replace\n        path: /spec/replicas\n        value: ${replicas}\n`;
    const requests = '              {{- toYaml .Values.resources.requests | nindent 14 }}\n';
    tree.write({
      'chart/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
      'chart/values.yaml': values(1, '100m'),
      'chart/templates/web.yaml': deployment('{{ .Values.replicas }}', requests),
      'base/web.yaml': deployment('1', '              cpu: 100m\n'),
      'base/kustomization.yaml': 'resources: [web.yaml]\n',
      'prod/kustomization.yaml': patches(2),
    });
    await git('init', '--quiet');
    await git('add', '.');
    await git('commit', '--quiet', '--message', 'first');
    tree.write({ 'chart/values.yaml': values(3, '200m'), 'prod/kustomization.yaml': patches(4) });
    assert.deepEqual(await placesOf('chart'), ['chart/values.yaml:1', 'chart/values.yaml:4']);
    assert.deepEqual(await placesOf('prod'), ['prod/kustomization.yaml:7']);
  });

  it('[#36] names of several edits of one value the line under the name of the object, and of the field', async () => {
    const values = (cpu: string): string =>
      ['web', 'api'].map((name) => `${name}:\n  limits:\n    cpu: ${cpu}\n  requests:\n    cpu: ${cpu}\n`).join('');
    const amounts = (kind: string): string => `              cpu: {{ (index $.Values $name).${kind}.cpu }}\n`;
    const template = deployment('1', `${amounts('requests')}            limits:\n${amounts('limits')}`)
      .replaceAll('app: web', 'app: {{ $name }}')
      .replace('name: web', 'name: {{ $name }}');
    tree.write({
      'chart/Chart.yaml': 'apiVersion: v2\nname: shop\nversion: 1.0.0\n',
      'chart/values.yaml': values('100m'),
      'chart/templates/all.yaml': `{{- range $name := list "web" "api" }}\n${template}---\n{{- end }}\n`,
    });
    await git('init', '--quiet');
    await git('add', '.');
    await git('commit', '--quiet', '--message', 'first');
    tree.write({ 'chart/values.yaml': values('200m') });
    assert.deepEqual(
      await placesOf('chart'),
      [10, 8, 5, 3].map((line) => `chart/values.yaml:${line}`),
    );
  });

  it('[ED-5] names the line of the values file, and not that of what the chart makes for those without Helm (#36)', async () => {
    const installed = (tag: string): string =>
      deployment('1', '              cpu: 100m\n').replace('image: web', `image: web:${tag}`);
    tree.write({
      'chart/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
      'chart/values.yaml': 'image:\n  tag: "1.0"\n',
      'chart/templates/web.yaml': installed('{{ .Values.image.tag }}'),
      'install.yaml': installed('1.0'),
    });
    await git('init', '--quiet');
    await git('add', '.');
    await git('commit', '--quiet', '--message', 'first');
    tree.write({ 'chart/values.yaml': 'image:\n  tag: "1.1"\n', 'install.yaml': installed('1.1') });
    assert.deepEqual(await placesOf('.'), ['chart/values.yaml:2']);
  });

  it('[ED-5] names the line of the kustomization that sets an image, a label, or generates a ConfigMap', async () => {
    const kustomization = (tag: string, team: string, level: string): string =>
      [
        'resources: [web.yaml]',
        'images:',
        '  - name: web',
        `    newTag: "${tag}"`,
        'labels:',
        '  - includeTemplates: true',
        '    pairs:',
        `      team: ${team}`,
        'configMapGenerator:',
        '  - name: settings',
        `    literals: [level=${level}]`,
        '',
      ].join('\n');
    const web = `${deployment('1', '              cpu: 100m\n')}          envFrom: [{ configMapRef: { name: settings } }]\n`;
    tree.write({ 'web.yaml': web, 'kustomization.yaml': kustomization('1', 'a', 'info') });
    await git('init', '--quiet');
    await git('add', '.');
    await git('commit', '--quiet', '--message', 'first');
    const changes: readonly (readonly [string, string])[] = [
      [kustomization('2', 'a', 'info'), 'kustomization.yaml:4'],
      [kustomization('1', 'b', 'info'), 'kustomization.yaml:8'],
      [kustomization('1', 'a', 'debug'), 'kustomization.yaml:11'],
    ];
    for (const [text, place] of changes) {
      tree.write({ 'kustomization.yaml': text });
      assert.deepEqual([...new Set(await placesOf('.'))], [place]);
    }
  });

  it('[ED-5] compares templates and what is generated from, and names the line whatever tools make of it', async () => {
    const helpers = (cpu: string): string => `{{- define "cpu" -}}\n${cpu}\n{{- end }}\n`;
    const apps = (replicas: number): string =>
      `apps:\n  - name: api\n    count: 1\n  - name: web\n    count: ${replicas}\n`;
    const kustomization =
      'resources: [web.yaml]\nconfigMapGenerator:\n  - name: settings\n    files: [log.properties]\n';
    const volume = '      volumes: [{ name: settings, configMap: { name: settings } }]\n';
    tree.write({
      'chart/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
      'chart/values.yaml': apps(1),
      'chart/templates/_helpers.tpl': helpers('100m'),
      'chart/templates/web.yaml': `{{- range .Values.apps }}\n---\n${deployment('{{ .count }}', '              cpu: {{ include "cpu" . }}\n').replace('name: web', 'name: {{ .name }}')}{{- end }}\n`,
      'made/web.yaml': deployment('1', '              cpu: 100m\n') + volume,
      'made/log.properties': 'level=info\n',
      'made/kustomization.yaml': kustomization,
    });
    await git('init', '--quiet');
    await git('add', '.');
    await git('commit', '--quiet', '--message', 'first');
    tree.write({ 'chart/values.yaml': apps(3) });
    assert.deepEqual(await placesOf('chart'), ['chart/values.yaml:5']);
    tree.write({ 'chart/values.yaml': apps(1), 'chart/templates/_helpers.tpl': helpers('200m') });
    assert.deepEqual([...new Set(await placesOf('chart'))], ['chart/templates/_helpers.tpl:2']);
    tree.write({ 'made/log.properties': 'level=debug\n' });
    assert.deepEqual(await placesOf('made'), ['made/log.properties:1']);
  });
});
