import type { Container, Pod } from '../../kubernetes/objects.ts';

export interface HostPort {
  readonly protocol: string;
  readonly port: number;
  /** `0.0.0.0` stands for all addresses. */
  readonly ip: string;
}

export const noHostPorts: readonly HostPort[] = [];

/**
 * Ports of containers and sidecars; plain init containers are over before they could clash.
 * Source: pkg/scheduler/util/utils.go (GetHostPorts)
 */
export function hostPortsOf(pod: Pod): readonly HostPort[] {
  let ports: HostPort[] | undefined;
  const collect = (container: Container): void => {
    for (const port of container.ports ?? []) {
      if (port.hostPort === undefined || port.hostPort <= 0) continue;
      ports ??= [];
      ports.push({
        protocol: port.protocol === undefined || port.protocol === '' ? 'TCP' : port.protocol,
        port: port.hostPort,
        ip: port.hostIP === undefined || port.hostIP === '' ? '0.0.0.0' : port.hostIP,
      });
    }
  };
  for (const container of pod.spec?.containers ?? []) collect(container);
  for (const container of pod.spec?.initContainers ?? []) if (container.restartPolicy === 'Always') collect(container);
  return ports ?? noHostPorts;
}

/** Whether two pods cannot have these ports on one node. */
export function portsConflict(a: HostPort, b: HostPort): boolean {
  return (
    a.port === b.port && a.protocol === b.protocol && (a.ip === b.ip || a.ip === anyAddress || b.ip === anyAddress)
  );
}

const anyAddress = '0.0.0.0';
