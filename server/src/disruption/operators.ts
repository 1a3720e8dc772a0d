import type { OwnerReference } from '../kubernetes/objects.ts';
import { say } from '../util/say.ts';

/**
 * Of kinds whose operators guard their pods with budgets that let none go, how a pod of them leaves a node. Sources:
 * kubevirt docs/handling-eviction-requests.md, strimzi/drain-cleaner, longhorn node-drain-policy, cloudnative-pg
 * kubernetes_upgrade.md
 */
const ways: ReadonlyMap<string, string> = new Map([
  [
    'kubevirt.io/VirtualMachineInstance',
    say`KubeVirt migrates it where it can, when its eviction is asked for (evictionStrategy: LiveMigrate); else migrate it (virtctl migrate) or stop it`,
  ],
  [
    'core.strimzi.io/StrimziPodSet',
    say`Strimzi's operator rolls it: run the Strimzi Drain Cleaner, or annotate the pod strimzi.io/manual-rolling-update=true`,
  ],
  [
    'longhorn.io/InstanceManager',
    say`Longhorn removes the budget once no volume is attached there and no last replica is there (node-drain-policy)`,
  ],
  [
    'postgresql.cnpg.io/Cluster',
    say`CloudNativePG switches over to another instance of a cordoned node; of one instance, set nodeMaintenanceWindow or enablePDB: false`,
  ],
]);

const builtIn: ReadonlySet<string> = new Set(['apps', 'batch', 'v1']);

/** How the pods of an operator leave a node; undefined of a controller of Kubernetes. */
export function wayOfOperator(maker: OwnerReference | undefined): string | undefined {
  const [group = ''] = maker?.apiVersion.split('/') ?? [];
  if (maker === undefined || builtIn.has(group)) return undefined;
  return ways.get(`${group}/${maker.kind}`) ?? say`its operator has to move what ${maker.kind} ${maker.name} runs`;
}
