/** Conditions of a Deployment, in the order in which they were set. Source: deployment/util/deployment_util.go, progress.go */
export interface Condition {
  readonly type: 'Available' | 'Progressing' | 'ReplicaFailure';
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason: string;
  readonly message: string;
  /** When it was written last, on the clock of the run. */
  readonly updated: number;
}

export type Conditions = readonly Condition[];

export function conditionOf(conditions: Conditions, type: Condition['type']): Condition | undefined {
  return conditions.find((each) => each.type === type);
}

/** One of the same status and reason stays as it is. Source: SetDeploymentCondition */
export function withCondition(conditions: Conditions, condition: Condition): Conditions {
  const present = conditionOf(conditions, condition.type);
  if (present?.status === condition.status && present.reason === condition.reason) return conditions;
  return [...withoutCondition(conditions, condition.type), condition];
}

export function withoutCondition(conditions: Conditions, type: Condition['type']): Conditions {
  return conditions.filter((each) => each.type !== type);
}
