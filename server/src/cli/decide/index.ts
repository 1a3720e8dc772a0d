import { jsonText } from '../terminal/json.ts';
import type { Json, JsonObject } from '../../kubernetes/json.ts';
import { minors } from '../../util/minors.ts';
import { decideBudgetStatus } from './budget-status.ts';
import {
  decideAdmit,
  decideApply,
  decideUpdate,
  decideValidate,
  decideValidateBudget,
  decideValidateClass,
} from './admission.ts';
import { decideClusterAutoscaler } from './cluster-autoscaler.ts';
import { decideCycle, decideReplay } from './cycle.ts';
import { decideDevices, decideDevicesReplay } from './devices.ts';
import { decideDrain } from './drain.ts';
import { decideEvict, decidePressure } from './evict.ts';
import { decideConsolidation, decideKarpenter } from './karpenter.ts';
import { decideLive } from './live.ts';
import { decideQuota } from './quota.ts';
import { decideRollout } from './rollout.ts';

/** Mode → what answers a case of it. The fields are described in docs/maintainers/conformance.md. */
const modes: ReadonlyMap<string, (input: JsonObject) => JsonObject> = new Map([
  ['cycle', decideCycle],
  ['replay', decideReplay],
  ['live', decideLive],
  ['validate', decideValidate],
  ['admit', decideAdmit],
  ['apply', decideApply],
  ['update', decideUpdate],
  ['validate-class', decideValidateClass],
  ['validate-budget', decideValidateBudget],
  ['quota', decideQuota],
  ['budget-status', decideBudgetStatus],
  ['evict', decideEvict],
  ['drain', decideDrain],
  ['pressure', decidePressure],
  ['karpenter', decideKarpenter],
  ['karpenter-consolidation', decideConsolidation],
  ['cluster-autoscaler', decideClusterAutoscaler],
  ['rollout', decideRollout],
  ['dra', decideDevices],
  ['dra-replay', decideDevicesReplay],
]);

/** Answers one line of `dist/decide.mjs`: a case as JSON in, its result as JSON out. Never throws. */
export function decideLine(line: string): string {
  let input: Json;
  try {
    input = JSON.parse(line) as Json;
  } catch (error) {
    return jsonText({ error: `not JSON: ${messageOf(error)}` }, 0);
  }
  try {
    return jsonText(decideCase(input), 0);
  } catch (error) {
    return jsonText({ error: messageOf(error) }, 0);
  }
}

/** Answers one case. Whatever is wrong with it comes back as its `error`. */
function decideCase(input: Json): JsonObject {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return { error: 'a case is a JSON object' };
  const { id, mode } = input as JsonObject;
  const head: JsonObject = { ...(id === undefined ? {} : { id }), ...(mode === undefined ? {} : { mode }) };
  const answer = typeof mode === 'string' ? modes.get(mode) : undefined;
  if (answer === undefined) return { ...head, error: `unknown mode; the modes are ${[...modes.keys()].join(', ')}` };
  const unknown = unknownMinor(input as JsonObject);
  if (unknown !== undefined) {
    return { ...head, error: `unknown kubernetes ${JSON.stringify(unknown)}; known are ${minors.join(', ')}` };
  }
  try {
    return { ...head, ...answer(input as JsonObject) };
  } catch (error) {
    return { ...head, error: `the case cannot be decided: ${messageOf(error)}` };
  }
}

function unknownMinor({ kubernetes }: JsonObject): Json | undefined {
  return (minors as readonly (Json | undefined)[]).includes(kubernetes) ? undefined : kubernetes;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
