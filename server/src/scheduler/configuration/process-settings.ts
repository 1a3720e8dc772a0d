import type { FieldError } from '../../kubernetes/field-error.ts';
import type { ClientConnectionFields, ConfigurationFields, LeaderElectionFields } from './fields.ts';
import { readDuration } from './go-duration.ts';
import { invalid } from './problems.ts';

/** Source: RecommendedDefaultLeaderElectionConfiguration in staging/src/k8s.io/component-base/config/v1alpha1/defaults.go */
const defaultLeaseDuration = 15_000;
const defaultRenewDeadline = 10_000;
const defaultRetryPeriod = 2000;

/** Source: JitterFactor in staging/src/k8s.io/client-go/tools/leaderelection/leaderelection.go */
const jitterFactor = 1.2;

/**
 * What concerns the process and none of its decisions: only whether it starts.
 * Source: ValidateKubeSchedulerConfiguration, and staging/src/k8s.io/component-base/config/validation/validation.go
 */
export function validateProcess(fields: ConfigurationFields, problems: FieldError[]): void {
  const { parallelism, clientConnection, leaderElection } = fields;
  if (parallelism !== undefined && parallelism <= 0) {
    problems.push(invalid(['parallelism'], parallelism, 'should be an integer value greater than zero'));
  }
  validateClientConnection(clientConnection, problems);
  validateLeaderElection(leaderElection, problems);
}

function validateClientConnection({ burst }: ClientConnectionFields, problems: FieldError[]): void {
  if (burst !== undefined && burst < 0) {
    problems.push(invalid(['clientConnection', 'burst'], burst, 'must be non-negative'));
  }
}

/** Source: ValidateLeaderElectionConfiguration; NewLeaderElector in client-go */
function validateLeaderElection(fields: LeaderElectionFields, problems: FieldError[]): void {
  const at = (field: keyof LeaderElectionFields): readonly string[] => ['leaderElection', field];
  // 0 stands for the default.
  const read = (field: 'leaseDuration' | 'renewDeadline' | 'retryPeriod', otherwise: number): number => {
    const milliseconds = readDuration(fields[field], at(field), problems);
    return milliseconds === undefined || milliseconds === 0 ? otherwise : milliseconds;
  };
  const lease = read('leaseDuration', defaultLeaseDuration);
  const renew = read('renewDeadline', defaultRenewDeadline);
  const retry = read('retryPeriod', defaultRetryPeriod);
  if (fields.leaderElect === false) return;
  const before = problems.length;
  const positive = 'must be greater than zero';
  if (lease < 0) problems.push(invalid(at('leaseDuration'), fields.leaseDuration, positive));
  if (renew < 0) problems.push(invalid(at('renewDeadline'), fields.renewDeadline, positive));
  if (retry < 0) problems.push(invalid(at('retryPeriod'), fields.retryPeriod, positive));
  if (problems.length === before) {
    if (lease <= renew) {
      problems.push(invalid(at('leaseDuration'), fields.leaseDuration, 'must be greater than `RenewDeadline`'));
    } else if (renew <= jitterFactor * retry) {
      const field = fields.renewDeadline === undefined ? 'retryPeriod' : 'renewDeadline';
      problems.push(invalid(at(field), fields[field], 'renewDeadline must be greater than retryPeriod*JitterFactor'));
    }
  }
  const lock = fields.resourceLock ?? '';
  if (lock !== '' && lock !== 'leases') {
    problems.push(invalid(at('resourceLock'), lock, 'resourceLock value must be "leases"'));
  }
}
