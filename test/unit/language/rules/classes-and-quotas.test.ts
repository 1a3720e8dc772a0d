import assert from 'node:assert/strict';
import { TestWorkspace } from '../test-workspace.ts';
import { checkRule } from './check-rule.ts';

const cls = (more: string): string => `apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata: { name: high }
${more}`;

describe('class-changed', () => {
  it('[PRI-10] warns when the value differs from the committed one', () =>
    checkRule('class-changed', {
      manifest: cls('value: ‹2›\n'),
      committed: { 'manifest.yaml': cls('value: 1\n') },
      severity: 'warning',
      message: 'value: Forbidden: may not be changed in an update. (compared with git HEAD)',
    }));

  it('[PRI-10] is an error when it differs from that of the cluster', () =>
    checkRule('class-changed', {
      manifest: cls('value: 1\npreemptionPolicy: ‹Never›\n'),
      snapshot: cls('value: 1\npreemptionPolicy: PreemptLowerPriority\n').replace('name: high', 'name: high, uid: "1"'),
      severity: 'error',
      message: 'field is immutable (compared with the cluster snapshot)',
    }));

  it('[PRI-10] lets description and global default change', () =>
    checkRule('class-changed', {
      manifest: cls('value: 1\nglobalDefault: true\ndescription: New.\n'),
      committed: { 'manifest.yaml': cls('value: 1\n') },
    }));
});

describe('namespace-on-cluster-object', () => {
  it('[PRI-1] is a hint, as the server ignores it, and takes it out', () =>
    checkRule('namespace-on-cluster-object', {
      manifest: cls('value: 1\n').replace('{ name: high }', '{ name: high, namespace: ‹shop› }'),
      severity: 'hint',
      fixes: { 'Remove the namespace': cls('value: 1\n') },
    }));
});

const quota = (hard: string, more = ''): string => `apiVersion: v1
kind: ResourceQuota
metadata: { name: q, namespace: shop }
spec:
  hard: { ${hard} }
${more}`;

const deployment = (spec: string, containers: string): string => `apiVersion: apps/v1
kind: Deployment
metadata: { name: web, namespace: shop }
spec:
  replicas: 3
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec:
${spec}      ${containers}
`;

const bare = '[{ name: a, image: a }]';
const asking = '[{ name: a, image: a, resources: { requests: { cpu: 500m } } }]';

describe('limit-range-refuses-pods', () => {
  const range =
    'apiVersion: v1\nkind: LimitRange\nmetadata: { name: ‹r›, namespace: shop }\nspec: { limits: [{ type: Container, max: { cpu: 500m } }] }\n';
  const asks = (cpu: string): string => `[{ name: a, image: a, resources: { limits: { cpu: ${cpu} } } }]`;

  it('[PRI-13] says what the API server answers to each pod', () =>
    checkRule('limit-range-refuses-pods', {
      manifest: deployment('', `‹containers›: ${asks('1')}`),
      others: { 'range.yaml': range },
      severity: 'warning',
      message: 'maximum cpu usage per Container is 500m, but limit is 1',
    }));

  it('[PRI-13] judges the limit that a range gives to a container which asks for more', () =>
    checkRule('limit-range-refuses-pods', {
      manifest: deployment('', '‹containers›: [{ name: a, image: a, resources: { requests: { cpu: 1 } } }]'),
      others: { 'range.yaml': range.replace('max:', 'default:') },
      severity: 'warning',
      message: 'Invalid value: "1": must be less than or equal to cpu limit of 500m',
    }));

  it('[#34] says what it answers to a claim', () =>
    checkRule('limit-range-refuses-pods', {
      manifest:
        'apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: { name: d, namespace: shop }\nspec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: ‹1Gi› } } }\n',
      others: {
        'range.yaml': range.replace('Container, max: { cpu: 500m }', 'PersistentVolumeClaim, min: { storage: 5Gi }'),
      },
      severity: 'warning',
      message:
        'The API server refuses this claim: minimum storage usage per PersistentVolumeClaim is 5Gi, but request is 1Gi.',
    }));

  it('[PRI-13] accepts what is within the bounds', () =>
    checkRule('limit-range-refuses-pods', {
      manifest: deployment('', `containers: ${asks('200m')}`),
      others: { 'range.yaml': range.replace('‹r›', 'r') },
    }));
});

describe('quota-refuses-pods', () => {
  it('[PRI-13] tells what a container must state', () =>
    checkRule('quota-refuses-pods', {
      manifest: deployment('', `‹containers›: ${bare}`),
      others: { 'quota.yaml': quota('requests.cpu: "1"').replace('name: q', 'name: ‹q›') },
      severity: 'warning',
      message: 'failed quota: q: must specify requests.cpu for: a',
    }));

  it('[PRI-13] applies limit ranges first', () =>
    checkRule('quota-refuses-pods', {
      manifest: deployment('', `containers: ${bare}`),
      others: {
        'quota.yaml': quota('requests.cpu: "1"'),
        'range.yaml':
          'apiVersion: v1\nkind: LimitRange\nmetadata: { name: r, namespace: shop }\nspec: { limits: [{ type: Container, defaultRequest: { cpu: 100m } }] }\n',
      },
    }));

  it('[PRI-13] leaves alone whom the scope does not mean', () =>
    checkRule('quota-refuses-pods', {
      manifest: deployment('', `containers: ${bare}`),
      others: {
        'quota.yaml': quota(
          'requests.cpu: "1"',
          '  scopeSelector: { matchExpressions: [{ scopeName: PriorityClass, operator: Exists }] }\n',
        ),
      },
    }));
});

const claim = (name: string, amount: string, more = ''): string => `apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: ${name}, namespace: shop }
spec: { accessModes: [ReadWriteOnce], ${more}resources: { requests: { storage: ${amount} } } }
`;

const database = (replicas: number): string => `apiVersion: apps/v1
kind: StatefulSet
metadata: { name: db, namespace: shop }
spec:
  replicas: ${replicas}
  selector: { matchLabels: { app: db } }
  template: { metadata: { labels: { app: db } }, spec: { containers: [{ name: db, image: db }] } }
  ‹volumeClaimTemplates›:
    - metadata: { name: data }
      spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 10Gi } } }
`;

describe('quotas over claims', () => {
  const plain = (text: string): string => text.replace(/[‹›]/g, '');

  it('[#34] refuse a claim that is larger than all that they allow', () =>
    checkRule('quota-refuses-pods', {
      manifest: claim('data', '‹100Gi›'),
      others: { 'quota.yaml': quota('requests.storage: 25Gi') },
      severity: 'warning',
      message:
        'refuses this claim: persistentvolumeclaims "data" is forbidden: exceeded quota: q, requested: requests.storage=100Gi',
    }));

  it('[#34] refuse the claims of a StatefulSet, whose pods are not created then', () =>
    checkRule('quota-refuses-pods', {
      manifest: database(1),
      others: { 'quota.yaml': quota('persistentvolumeclaims: "0"') },
      message:
        'failed to create PVC data-db-0: persistentvolumeclaims "data-db-0" is forbidden: exceeded quota: q, requested: persistentvolumeclaims=1',
    }));

  const scratch = `apiVersion: apps/v1
kind: Deployment
metadata: { name: web, namespace: shop }
spec:
  replicas: 3
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec:
      containers: [{ name: web, image: web }]
      ‹volumes›:
        - name: tmp
          ephemeral:
            volumeClaimTemplate:
              spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 10Gi } } }
`;

  it('[#34] refuse the claims of ephemeral volumes, whose pods are there and wait', () =>
    checkRule('quota-refuses-pods', {
      manifest: scratch,
      others: { 'quota.yaml': quota('requests.storage: 5Gi') },
      message:
        /^The pods of this Deployment stay pending: create PVC web-\S*-tmp: .* exceeded quota: q, requested: requests\.storage=10Gi/,
    }));

  it('[#34] count the claims of ephemeral volumes for each pod', () =>
    checkRule('quota-exceeded', {
      manifest: quota('persistentvolumeclaims: ‹"2"›'),
      others: { 'web.yaml': plain(scratch) },
      message:
        'ask for 3 of persistentvolumeclaims; this quota allows 2. Claims beyond that are refused, and their pods do not start.',
    }));

  it('[#34] count by the default class, and what a StatefulSet makes once', () =>
    checkRule('quota-exceeded', {
      manifest: quota('gold.storageclass.storage.k8s.io/requests.storage: ‹30Gi›'),
      others: {
        'class.yaml':
          'apiVersion: storage.k8s.io/v1\nkind: StorageClass\nmetadata: { name: gold, annotations: { storageclass.kubernetes.io/is-default-class: "true" } }\nprovisioner: x\n',
        'db.yaml': plain(database(2)),
        'made.yaml': claim('data-db-0', '10Gi'),
        'left.yaml': claim('data-db-7', '15Gi'),
        'other.yaml': claim('slow', '90Gi', 'storageClassName: slow, '),
      },
      message: 'ask for 35Gi of gold.storageclass.storage.k8s.io/requests.storage; this quota allows 30Gi',
    }));
});

describe('quota-exceeded', () => {
  it('[#34] counts workloads of a kind, each once', async () => {
    const web = deployment('', `containers: ${asking}`).replace(/[‹›]/g, '');
    const others = { 'web.yaml': web, 'api.yaml': web.replaceAll('web', 'api'), 'again.yaml': web };
    await checkRule('quota-exceeded', {
      manifest: quota('count/deployments.apps: ‹"1"›'),
      others,
      message: '2 objects of kind Deployment are declared here; this quota allows 1.',
    });
    await checkRule('quota-exceeded', {
      manifest: quota('count/deployments.apps: "2", count/jobs.batch: "0"'),
      others,
    });
  });

  it('[PRI-13] adds up what the workloads ask for', () =>
    checkRule('quota-exceeded', {
      manifest: quota('requests.cpu: ‹"1"›, pods: "3"'),
      others: { 'web.yaml': deployment('', `containers: ${asking}`).replace('name: web,', 'name: ‹web›,') },
      message: 'ask for 1500m of requests.cpu; this quota allows 1',
    }));

  it('[PRI-13] leaves open which namespaces the quotas of several folders are for that name none (#36)', async () => {
    const bare = (text: string): string => text.replaceAll(', namespace: shop', '');
    const manifest = bare(quota('requests.cpu: ‹"1"›'));
    const web = bare(deployment('', `containers: ${asking}`));
    await checkRule('quota-exceeded', { manifest, others: { 'web.yaml': web }, ...asks('1500m') });
    const none = manifest.replace(/[‹›]/g, '');
    await checkRule('quota-exceeded', { manifest: none, others: { 'web.yaml': web, 'team/quota.yaml': none } });
  });

  const stored = `apiVersion: v1
kind: Pod
metadata: { name: bare, namespace: shop, uid: u1, creationTimestamp: "2026-01-01T00:00:00Z" }
spec: { containers: ${asking}, nodeName: a }
status: { phase: Running }
`;
  const asks = (amount: string) => ({ message: `ask for ${amount} of requests.cpu; this quota allows 1` });

  it('[PRI-13] counts what simulations count: pods that exist, once beside the workload that made them', async () => {
    const manifest = quota('requests.cpu: ‹"1"›');
    const web = deployment('', `containers: ${asking}`);
    await checkRule('quota-exceeded', { manifest, others: { 'web.yaml': web, 'pod.yaml': stored }, ...asks('2') });
    const owned = stored.replace(
      ', uid',
      ', ownerReferences: [{ kind: ReplicaSet, name: web-1, controller: true }], uid',
    );
    await checkRule('quota-exceeded', { manifest, others: { 'web.yaml': web, 'pod.yaml': owned }, ...asks('1500m') });
    const ended = stored.replace('Running', 'Succeeded');
    await checkRule('quota-exceeded', { manifest, others: { 'web.yaml': web, 'pod.yaml': ended }, ...asks('1500m') });
  });

  it('[PRI-13] counts a pod of a DaemonSet for each node, and those that an autoscaler asks for', async () => {
    const manifest = quota('requests.cpu: ‹"1"›');
    const node = (name: string): string => `---\napiVersion: v1\nkind: Node\nmetadata: { name: ${name} }\n`;
    const daemons = deployment('', `containers: ${asking}`)
      .replace('Deployment', 'DaemonSet')
      .replace(/ {2}replicas.*\n/, '');
    // A Node that is declared again is the same one.
    const nodes = ['a', 'b', 'c', 'd', 'a'].map(node).join('');
    await checkRule('quota-exceeded', { manifest, others: { 'd.yaml': daemons, 'nodes.yaml': nodes }, ...asks('2') });
    const scaler =
      'apiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: { name: s, namespace: shop }\nspec: { minReplicas: 5, maxReplicas: 9, scaleTargetRef: { apiVersion: apps/v1, kind: Deployment, name: web } }\n';
    const web = deployment('', `containers: ${asking}`);
    await checkRule('quota-exceeded', { manifest, others: { 'd.yaml': web, 's.yaml': scaler }, ...asks('2500m') });
  });

  it('[PRI-13] counts anew when a node comes (#31)', async () => {
    const daemons = deployment('', `containers: ${asking}`)
      .replace('Deployment', 'DaemonSet')
      .replace(/ {2}replicas.*\n/, '');
    const node = (name: string): string => `---\napiVersion: v1\nkind: Node\nmetadata: { name: ${name} }\n`;
    const workspace = await TestWorkspace.of({
      'q.yaml': quota('requests.cpu: "1"'),
      'd.yaml': daemons,
      'nodes.yaml': `${node('a')}${node('b')}${node('c')}`,
    });
    const asked = (): string =>
      workspace
        .diagnostics('q.yaml')
        .map(({ message }) => JSON.stringify(message))
        .join();
    assert.match(asked(), /ask for 1500m of requests\.cpu/);
    workspace.write('nodes.yaml', ['a', 'b', 'c', 'd'].map(node).join(''));
    assert.match(asked(), /ask for 2 of requests\.cpu/);
  });

  it('[PRI-13] counts each workload once where a quota is declared twice', () =>
    checkRule('quota-exceeded', {
      manifest: quota('requests.cpu: ‹"1"›, pods: "3"'),
      others: {
        'again.yaml': quota('requests.cpu: "9", pods: "9"'),
        'web.yaml': deployment('', `containers: ${asking}`),
      },
      message: 'ask for 1500m of requests.cpu; this quota allows 1',
    }));
});

describe('a namespace with more quotas than are compared with its pods', () => {
  const many = (count: number): string =>
    Array.from({ length: count }, (_, index) => quota('pods: "2"').replace('name: q,', `name: q${index},`)).join(
      '---\n',
    );

  it('says once which are not compared', async () => {
    const workspace = await TestWorkspace.of({
      'quotas.yaml': many(103),
      'web.yaml': deployment('', 'containers: []'),
    });
    const [told, ...others] = workspace.findings('quotas.yaml').filter(({ severity }) => severity === 'information');
    assert.equal(told?.placed.index, 100);
    assert.match(
      told.finding.message,
      /first 100 quotas of a namespace: this one and 2 others of this namespace are not/,
    );
    assert.deepEqual(others, []);
  });

  it('compares all of a hundred', async () => {
    const workspace = await TestWorkspace.of({
      'quotas.yaml': many(100),
      'web.yaml': deployment('', `containers: ${bare}`),
    });
    const findings = workspace.findings('quotas.yaml');
    assert.deepEqual([...new Set(findings.map(({ rule }) => rule.code))], ['quota-exceeded']);
    assert.equal(findings.length, 100);
  });
});

describe('system-class-outside-kube-system', () => {
  const manifest = deployment('      priorityClassName: ‹system-node-critical›\n', `containers: ${bare}`);

  it('[PRI-12] informs that managed clusters refuse it', () =>
    checkRule('system-class-outside-kube-system', {
      manifest,
      severity: 'information',
      message: 'insufficient quota to match these scopes',
    }));

  it('[PRI-12] accepts it where a quota allows the class', () =>
    checkRule('system-class-outside-kube-system', {
      manifest: manifest.replaceAll(/[‹›]/g, ''),
      others: {
        'quota.yaml': quota(
          'pods: "9"',
          '  scopeSelector: { matchExpressions: [{ scopeName: PriorityClass, operator: In, values: [system-node-critical] }] }\n',
        ),
      },
    }));
});

describe('invalid-priority-class', () => {
  it('[PRI-2] refuses a name that is no DNS subdomain', () =>
    checkRule('invalid-priority-class', {
      manifest: cls('value: 1\n').replace('name: high', 'name: ‹High_Class›'),
      severity: 'error',
      message: 'a lowercase RFC 1123 subdomain',
    }));

  it('[PRE-3] refuses an unknown preemption policy', () =>
    checkRule('invalid-priority-class', {
      manifest: cls('value: 1\npreemptionPolicy: ‹Sometimes›\n'),
      severity: 'error',
      message: 'supported values: "PreemptLowerPriority", "Never"',
    }));
});

describe('invalid-quota', () => {
  const scoped = (operator: string, values: string): string =>
    quota(
      'pods: 10',
      `  scopeSelector: { matchExpressions: [{ scopeName: PriorityClass, ${operator}, ${values} }] }\n`,
    );

  it('[PRI-13] refuses a scope without the values that its operator needs', () =>
    checkRule('invalid-quota', {
      manifest: scoped('operator: In', '‹values›: []'),
      severity: 'error',
      message: 'must be at least one value when `operator` is',
    }));

  it('[PRI-13] accepts one that names a class', () =>
    checkRule('invalid-quota', { manifest: scoped('operator: In', 'values: [low]') }));

  it('[PRI-13] refuses a negative bound', () =>
    checkRule('invalid-quota', {
      manifest: quota('pods: ‹"-1"›'),
      severity: 'error',
      message: 'must be greater than or equal to 0',
    }));
});

describe('limits of an AdmissionConfiguration', () => {
  const limited = `limitedResources: [{ resource: pods, matchScopes: [{ scopeName: PriorityClass, operator: In, values: [gold] }] }]`;
  const configuration = `apiVersion: apiserver.config.k8s.io/v1
kind: AdmissionConfiguration
plugins:
  - name: ResourceQuota
    configuration: { apiVersion: apiserver.config.k8s.io/v1, kind: ResourceQuotaConfiguration, ${limited} }
`;
  const gold =
    'apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: { name: gold }\nvalue: 1000\n---\napiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: { name: iron }\nvalue: 1\n';
  const podOf = (name: string): string =>
    `apiVersion: v1\nkind: Pod\nmetadata: { name: web, namespace: shop }\nspec: { priorityClassName: ${name}, containers: [{ name: a, image: a }] }\n`;

  it('[PRI-16] refuse the classes that they name where no quota covers them', async () => {
    for (const config of [
      configuration,
      `apiVersion: apiserver.config.k8s.io/v1\nkind: ResourceQuotaConfiguration\n${limited}\n`,
    ]) {
      await checkRule('quota-refuses-pods', {
        manifest: podOf('‹gold›'),
        others: { 'classes.yaml': gold, 'config.yaml': config },
        message: 'insufficient quota to match these scopes: [{PriorityClass In [gold]}]',
      });
    }
  });

  it('[PRI-16] let others pass, and those that a quota covers', async () => {
    const others = { 'classes.yaml': gold, 'config.yaml': configuration };
    await checkRule('quota-refuses-pods', { manifest: podOf('iron'), others });
    const quota = `apiVersion: v1
kind: ResourceQuota
metadata: { name: gold, namespace: shop }
spec:
  hard: { pods: "10" }
  scopeSelector: { matchExpressions: [{ scopeName: PriorityClass, operator: In, values: [gold] }] }
`;
    await checkRule('quota-refuses-pods', { manifest: podOf('gold'), others: { ...others, 'quota.yaml': quota } });
  });

  it('[PRI-16] hold in place of what managed clusters usually limit', async () => {
    const manifest = podOf('system-node-critical');
    await checkRule('system-class-outside-kube-system', { manifest, others: { 'config.yaml': configuration } });
  });
});
