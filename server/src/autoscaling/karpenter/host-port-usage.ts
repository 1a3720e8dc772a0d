import type { Pod } from '../../kubernetes/objects.ts';

interface HostPort {
  readonly ip: string;
  readonly port: number;
  readonly protocol: string;
}

/** Ports of containers; init containers do not count here. Source: karpenter pkg/scheduling/hostportusage.go */
function portsOf(pod: Pod): readonly HostPort[] {
  return (pod.spec?.containers ?? []).flatMap(({ ports = [] }) =>
    ports
      .filter(({ hostPort = 0 }) => hostPort !== 0)
      .map(({ hostPort = 0, hostIP = '', protocol = 'TCP' }) => ({
        ip: hostIP === '' ? '0.0.0.0' : hostIP,
        port: hostPort,
        protocol,
      })),
  );
}

/** Which pod has which ports of a node. */
export class HostPortUsage {
  readonly #taken = new Map<string, readonly HostPort[]>();

  copy(): HostPortUsage {
    const copy = new HostPortUsage();
    for (const [key, ports] of this.#taken) copy.#taken.set(key, ports);
    return copy;
  }

  add(key: string, pod: Pod): void {
    this.#taken.set(key, portsOf(pod));
  }

  /** The text of the first conflict. */
  conflict(key: string, pod: Pod): string | undefined {
    for (const port of portsOf(pod)) {
      for (const [other, ports] of this.#taken) {
        const taken = other === key ? undefined : ports.find((each) => clash(port, each));
        if (taken === undefined) continue;
        return (
          `pod hostport conflicts with existing hostport configuration (existing-hostport-ip=${taken.ip}, ` +
          `existing-hostport-port=${taken.port}, existing-hostport-protocol=${taken.protocol}, ` +
          `pod-hostport-ip=${port.ip}, pod-hostport-port=${port.port}, pod-hostport-protocol=${port.protocol})`
        );
      }
    }
    return undefined;
  }
}

function clash(a: HostPort, b: HostPort): boolean {
  return a.protocol === b.protocol && a.port === b.port && (a.ip === b.ip || isAny(a.ip) || isAny(b.ip));
}

function isAny(ip: string): boolean {
  return ip === '0.0.0.0' || ip === '::';
}
