import type { ConfigurationFields, LeaderElectionFields } from './fields.ts';
import type { Place } from './place.ts';

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
export function validateProcess(
  { parallelism, clientConnection, leaderElection }: ConfigurationFields,
  at: Place,
): void {
  if (parallelism !== undefined && parallelism <= 0) {
    at.at('parallelism').invalid(parallelism, 'should be an integer value greater than zero');
  }
  const { burst } = clientConnection;
  if (burst !== undefined && burst < 0) at.at('clientConnection', 'burst').invalid(burst, 'must be non-negative');
  validateLeaderElection(leaderElection, at.at('leaderElection'));
}

/** Source: ValidateLeaderElectionConfiguration; NewLeaderElector in client-go */
function validateLeaderElection(fields: LeaderElectionFields, at: Place): void {
  type Period = 'leaseDuration' | 'renewDeadline' | 'retryPeriod';
  // 0 stands for the default.
  const read = (field: Period, otherwise: number): number => {
    const milliseconds = at.at(field).duration(fields[field]) ?? 0;
    return milliseconds === 0 ? otherwise : milliseconds;
  };
  const lease = read('leaseDuration', defaultLeaseDuration);
  const renew = read('renewDeadline', defaultRenewDeadline);
  const retry = read('retryPeriod', defaultRetryPeriod);
  if (fields.leaderElect === false) return;
  const report = (field: Period, detail: string): void => {
    at.at(field).invalid(fields[field], detail);
  };
  const positive = 'must be greater than zero';
  if (lease < 0) report('leaseDuration', positive);
  if (renew < 0) report('renewDeadline', positive);
  if (retry < 0) report('retryPeriod', positive);
  if (lease >= 0 && renew >= 0 && retry >= 0) {
    if (lease <= renew) {
      report('leaseDuration', 'must be greater than `RenewDeadline`');
    } else if (renew <= jitterFactor * retry) {
      const field = fields.renewDeadline === undefined ? 'retryPeriod' : 'renewDeadline';
      report(field, 'renewDeadline must be greater than retryPeriod*JitterFactor');
    }
  }
  const lock = fields.resourceLock ?? '';
  if (lock !== '' && lock !== 'leases') at.at('resourceLock').invalid(lock, 'resourceLock value must be "leases"');
}
