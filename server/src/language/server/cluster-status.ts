import { joined, say } from '../../util/say.ts';
import { count, list } from '../../util/words.ts';
import { type ClusterStatus, clusterStatusNotification } from '../../protocol.ts';
import type { FactsReader } from '../index/fact.ts';
import type { Facts } from '../index/facts.ts';
import type { Feature } from '../session/feature.ts';
import { foundSnapshotName } from '../../manifests/file-provider.ts';
import { kubernetesFor } from '../index/kubernetes-version.ts';
import { sentenceOf } from '../session/named-snapshot.ts';
import type { Settings } from '../settings/settings.ts';

/** How long changes are gathered before the status is sent, in milliseconds. */
const pause = 200;

/** Tells the editor which cluster the answers rest on. */
export const clusterStatusFeature: Feature = {
  capabilities: {},
  register(connection, session) {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let sent = '';
    session.onChanged(() => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        const { facts, settings, workspaceRead, index, earlier, unusableSnapshot } = session;
        const cluster = clusterStatus(facts, settings, workspaceRead, index.isIndexing);
        const { release, why } = kubernetesFor(facts, settings);
        const kubernetes = say`Kubernetes ${release.minor}: ${why}`;
        const unknown = earlier.unknown.map((reason) => say`Committed versions are not known: ${reason}.`);
        // What is excluded is known with the targets.
        const isSettled = workspaceRead && !index.isIndexing && session.rendering.targets.length > 0;
        const places =
          cluster.source === 'workspace' && facts.cluster.file === undefined ? session.rendering.nodePlaces() : [];
        const several = places.length < 2 ? [] : [say`They come from ${places.length} places: ${namesOf(places)}.`];
        const unusable = unusableSnapshot === null ? [] : [sentenceOf(unusableSnapshot)];
        const status: ClusterStatus = {
          ...cluster,
          detail: joined([...unusable, cluster.detail, ...several, kubernetes, ...unknown], ' '),
          isSnapshotUnusable: unusableSnapshot !== null,
          isEmpty: cluster.nodes === 0 && declaresNothing(facts),
          nodePlaces: isSettled ? places : [],
          applied: session.rendering.applied?.status() ?? null,
        };
        const text = JSON.stringify(status);
        if (text === sent) return;
        sent = text;
        void connection.sendNotification(clusterStatusNotification, status);
      }, pause);
    });
  },
};

function declaresNothing(facts: Facts): boolean {
  if (facts.cluster.file !== undefined) return false;
  for (const uri of facts.fileUris()) {
    if (facts.file(uri)?.documents.some(({ document }) => document.objects.length > 0) === true) return false;
  }
  return true;
}

function namesOf(places: ClusterStatus['nodePlaces']): string {
  return list(
    places.map(({ folder, nodes }) => say`${folder} (${nodes})`),
    5,
  );
}

function clusterStatus(
  facts: FactsReader,
  settings: Settings,
  isWorkspaceRead: boolean,
  isIndexing: boolean,
): Omit<ClusterStatus, 'isSnapshotUnusable' | 'isEmpty' | 'nodePlaces' | 'applied'> {
  const indexing = isIndexing || !isWorkspaceRead;
  const nodes = facts.ofKind('Node');
  const pods = facts.ofKind('Pod').filter((pod) => (pod.template?.spec.nodeName ?? '') !== '').length;
  const running = pods === 0 ? say`no running pods` : count(pods, 'running pod');
  if (nodes.length === 0) {
    if (!isWorkspaceRead) return { source: 'workspace', nodes: 0, pods, detail: say`Reading the workspace…`, indexing };
    const detail = say`No Node is in the workspace or a snapshot, so as many as the pods need are assumed. A cluster snapshot has those of your cluster.`;
    return { source: 'assumed', nodes: 0, pods, detail, indexing };
  }
  const fromSnapshot = nodes.filter((node) => node.source === 'snapshot').length;
  if (fromSnapshot > 0) {
    const others = nodes.length - fromSnapshot;
    const more = others === 0 ? '' : say`, ${others} more from the workspace`;
    const detail = say`${count(fromSnapshot, 'node')} from the cluster snapshot ${settings.cluster.snapshot || foundSnapshotName}${more}, ${running}.`;
    return { source: 'snapshot', nodes: nodes.length, pods, detail, indexing };
  }
  return {
    source: 'workspace',
    nodes: nodes.length,
    pods,
    detail: say`${count(nodes.length, 'node')} of the workspace, ${running}.`,
    indexing,
  };
}
