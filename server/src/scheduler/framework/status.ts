import type { NodeRefusal } from '../decision.ts';

/** The codes that turn a node or a pod down. */
export type RejectionCode = 'Error' | 'Unschedulable' | 'UnschedulableAndUnresolvable' | 'Pending';

/**
 * Why a plugin turned a node down. Success is `null`, so the common case costs nothing.
 * Statuses are immutable and shared between nodes: a plugin makes each of its answers once, which also makes counting
 * them for the message cheap.
 * Source: staging/src/k8s.io/kube-scheduler/framework/interface.go (Status)
 */
export class Status implements NodeRefusal {
  readonly code: RejectionCode;
  /** The plugin that refused; empty when no plugin did. */
  readonly plugin: string;
  readonly reasons: readonly string[];

  constructor(code: RejectionCode, plugin: string, reasons: readonly string[]) {
    this.code = code;
    this.plugin = plugin;
    this.reasons = reasons;
  }

  /** The text of the status: its reasons joined. */
  get message(): string {
    return this.reasons.join(', ');
  }
}

/** Removing pods may help. */
export function unschedulable(plugin: string, ...reasons: readonly string[]): Status {
  return new Status('Unschedulable', plugin, reasons);
}

/** Removing pods cannot help: preemption leaves such a node alone. */
export function unresolvable(plugin: string, ...reasons: readonly string[]): Status {
  return new Status('UnschedulableAndUnresolvable', plugin, reasons);
}

/** What becomes of the error of a filter. Source: RunFilterPlugins in pkg/scheduler/framework/runtime/framework.go */
export function filterFailure({ plugin, message }: Status): Status {
  return new Status('Error', plugin, [`running "${plugin}" filter plugin: ${message}`]);
}
