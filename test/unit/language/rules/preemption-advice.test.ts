import { checkRule } from './check-rule.ts';
import { high, workload, classHigh } from './workload-text.ts';

describe('long-grace-period', () => {
  const batch = (seconds: string, ...more: string[]): string =>
    workload('batch', { spec: [`terminationGracePeriodSeconds: ${seconds}`, ...more] });

  it('[PRE-22] says what a long grace period costs the pod that makes room for itself', () =>
    checkRule('long-grace-period', {
      manifest: batch('‹3600›'),
      others: { 'class.yaml': high, 'web.yaml': workload('‹web›', { spec: [classHigh] }) },
      severity: 'hint',
      message:
        'Deployment default/web (priority 1000) may evict this (priority 0) and then waits up to 1 h until its room is free. A short grace period keeps that gap short.',
    }));

  for (const [name, manifest, web] of [
    ['a short one', batch('300'), workload('web', { spec: [classHigh] })],
    ['pods that nobody outranks', batch('3600', classHigh), workload('web', { spec: [classHigh] })],
    ['pods that are outranked by who never preempts', batch('3600'), null],
  ] as const) {
    it(`[PRE-22] says nothing of ${name}`, () =>
      checkRule('long-grace-period', {
        manifest,
        others: {
          'class.yaml': web === null ? `${high}preemptionPolicy: Never\n` : high,
          'web.yaml': web ?? workload('web', { spec: [classHigh] }),
        },
      }));
  }
});

describe('daemonset-below-workloads', () => {
  it('[PRE-10] names who may evict it', () =>
    checkRule('daemonset-below-workloads', {
      manifest: workload('logs', { kind: 'DaemonSet' }).replace('    spec:', '    ‹spec›:'),
      others: { 'class.yaml': high, 'web.yaml': workload('‹web›', { spec: [classHigh] }) },
      severity: 'hint',
      message: '1 workload may evict the pods of this DaemonSet (priority 0)',
    }));

  it('[PRE-10] accepts one of equal priority', () =>
    checkRule('daemonset-below-workloads', {
      manifest: workload('logs', { kind: 'DaemonSet', spec: [classHigh] }),
      others: { 'class.yaml': high, 'web.yaml': workload('web', { spec: [classHigh] }) },
    }));
});

describe('one cause', () => {
  const budget = (name: string, mark = name): string => `apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: { name: ${mark} }
spec: { maxUnavailable: 1, selector: { matchLabels: { app: ${name} } } }
`;
  const top = (kind: 'DaemonSet' | 'Deployment'): string =>
    workload('top', { kind, spec: [classHigh.replace('high', '‹high›')] });

  it('[PRE-6] a DaemonSet above all others is told of once, with the budgets that it may break', () =>
    checkRule('budget-broken-by-preemption', {
      manifest: top('DaemonSet'),
      others: {
        'class.yaml': high,
        'web.yaml': workload('web') + '---\n' + budget('web', '‹web›'),
        'db.yaml': workload('db') + '---\n' + budget('db', '‹db›'),
      },
      severity: 'hint',
      message: 'Pods of this DaemonSet (priority 1000) may evict those behind 2 budgets',
    }));

  it('[PRE-6] and not at each of the budgets', () =>
    checkRule('budget-broken-by-preemption', {
      manifest: budget('web'),
      others: {
        'class.yaml': high,
        'top.yaml': workload('top', { kind: 'DaemonSet', spec: [classHigh] }),
        'web.yaml': workload('web'),
        'db.yaml': workload('db') + '---\n' + budget('db'),
      },
    }));

  it('[PRE-6] a cause in the cluster is told of at the first budget, with the others', () =>
    checkRule('budget-broken-by-preemption', {
      manifest: budget('db').replace('PodDisruptionBudget', '‹PodDisruptionBudget›'),
      others: { 'db.yaml': workload('db'), 'web.yaml': workload('web') + '---\n' + budget('web', '‹web›') },
      snapshot: high + '---\n' + workload('top', { kind: 'DaemonSet', spec: [classHigh] }),
      message: 'The same goes for 1 other budget.',
    }));

  it('[PRE-10] a workload above several DaemonSets is told of once, with them', () =>
    checkRule('daemonset-below-workloads', {
      manifest: top('Deployment'),
      others: {
        'class.yaml': high,
        'logs.yaml': workload('‹logs›', { kind: 'DaemonSet' }),
        'metrics.yaml': workload('‹metrics›', { kind: 'DaemonSet' }),
      },
      message: 'may evict those of 2 DaemonSets of lower priority',
    }));

  it('[PRE-10] a DaemonSet above several of its namespace is told of once, with them', () =>
    checkRule('daemonsets-of-unequal-priority', {
      manifest: top('DaemonSet'),
      others: {
        'class.yaml': high,
        'logs.yaml': workload('‹logs›', { kind: 'DaemonSet' }),
        'metrics.yaml': workload('‹metrics›', { kind: 'DaemonSet' }),
      },
      message: '2 DaemonSets of its namespace have less',
    }));

  for (const code of ['daemonset-below-workloads', 'daemonsets-of-unequal-priority']) {
    it(`[PRE-10] ${code} is not told at each of several`, () =>
      checkRule(code, {
        manifest: workload('logs', { kind: 'DaemonSet' }),
        others: {
          'class.yaml': high,
          'metrics.yaml': workload('metrics', { kind: 'DaemonSet' }),
          'top.yaml': workload('top', {
            kind: code === 'daemonset-below-workloads' ? 'Deployment' : 'DaemonSet',
            spec: [classHigh],
          }),
        },
      }));
  }
});

describe('daemonsets-of-unequal-priority', () => {
  const logs = (more: string): Readonly<Record<string, string>> => ({
    'class.yaml': high,
    'logs.yaml': workload('‹logs›', { kind: 'DaemonSet', spec: [more] }),
  });

  it('[PRE-10] points at the lower one', () =>
    checkRule('daemonsets-of-unequal-priority', {
      manifest: workload('metrics', { kind: 'DaemonSet' }).replace('    spec:', '    ‹spec›:'),
      others: logs(classHigh),
      severity: 'hint',
      message: 'DaemonSet default/logs has priority 1000, this DaemonSet 0',
    }));

  it('[PRE-10] accepts siblings of one class, and the higher of two', () =>
    checkRule('daemonsets-of-unequal-priority', {
      manifest: workload('metrics', { kind: 'DaemonSet', spec: [classHigh] }),
      others: { 'class.yaml': high, 'logs.yaml': workload('logs', { kind: 'DaemonSet' }) },
    }));
});

describe('budget-broken-by-preemption', () => {
  const budget = (kind: string): string => `apiVersion: policy/v1
kind: ${kind}
metadata: { name: web }
spec: { maxUnavailable: 1, selector: { matchLabels: { app: web } } }
`;

  it('[PRE-6] [EVI-6] names who may break it, and whose pods go', () =>
    checkRule('budget-broken-by-preemption', {
      manifest: budget('‹PodDisruptionBudget›'),
      others: {
        'class.yaml': high,
        'top.yaml': workload('‹top›', { spec: [classHigh] }),
        'web.yaml': workload('‹web›'),
      },
      severity: 'hint',
      message: 'Preemption only prefers to keep it: 1 workload of higher priority',
    }));

  it('[PRE-6] says nothing where nobody outranks the pods', () =>
    checkRule('budget-broken-by-preemption', {
      manifest: budget('PodDisruptionBudget'),
      others: { 'class.yaml': high, 'top.yaml': workload('top'), 'web.yaml': workload('web', { spec: [classHigh] }) },
    }));
});
