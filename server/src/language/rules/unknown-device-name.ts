import { addTo } from '../../util/maps.ts';
import { say } from '../../util/say.ts';
import { likelyName } from '../../util/nearest-names.ts';
import type { Path } from '../../kubernetes/json.ts';
import type { ResourceClaim } from '../../kubernetes/objects.ts';
import { isPlaceholder } from '../../kubernetes/placeholders.ts';
import { derived } from '../index/derived.ts';
import type { Fact, FactsReader } from '../index/fact.ts';
import { isStoredPod } from '../index/priority-classes.ts';
import { changeToMeant } from './support/edits.ts';
import { findingAt } from './support/narrow.ts';
import type { ObjectRule, Finding } from './support/rule.ts';

type ClaimSpec = ResourceClaim['spec'];

export const unknownDeviceName: ObjectRule = {
  code: 'unknown-device-name',
  title: 'A claim of devices or a pod misspells the class, claim, template or request that it names',
  severity: 'warning',
  scope: 'object',
  *check({ fact, facts }) {
    const spec = specOf(fact);
    if (spec !== undefined) yield* misspeltClasses(fact, spec, facts);
    if (fact.template !== undefined && !isStoredPod(fact)) yield* misspeltClaims(fact, facts);
  },
  fix: changeToMeant,
};

const namesOfClasses = derived(['DeviceClass'], (classes) => classes.map(({ name }) => name));

/** Claims and templates: by kind, namespace and name, the first of each kind and name, and the names of each namespace. */
const claims = derived(['ResourceClaim', 'ResourceClaimTemplate'], (...kinds) => {
  const byKey = new Map<string, Fact>();
  const byName = new Map<string, Fact>();
  const namesIn = new Map<string, string[]>();
  for (const fact of kinds.flat()) {
    const { kind, namespace, name } = fact;
    byKey.set(`${kind}/${namespace}/${name}`, fact);
    if (!byName.has(`${kind}/${name}`)) byName.set(`${kind}/${name}`, fact);
    addTo(namesIn, `${kind}/${namespace}`, name);
  }
  return { byKey, byName, namesIn };
});

/** Of a claim, or of those that a template makes; what has devices is left as it is. */
function specOf({ kind, object }: Fact): { readonly path: Path; readonly spec: ClaimSpec } | undefined {
  const claim = object as ResourceClaim;
  if (kind === 'ResourceClaim') {
    return claim.status?.allocation === undefined ? { path: ['spec'], spec: claim.spec } : undefined;
  }
  if (kind !== 'ResourceClaimTemplate') return undefined;
  return { path: ['spec', 'spec'], spec: (claim.spec as unknown as ResourceClaim).spec };
}

function* misspeltClasses(
  fact: Fact,
  { path, spec }: NonNullable<ReturnType<typeof specOf>>,
  facts: FactsReader,
): Generator<Finding> {
  const classes = namesOfClasses(facts);
  for (const [index, { exactly, firstAvailable = [] }] of (spec.devices?.requests ?? []).entries()) {
    const at = [...path, 'devices', 'requests', index];
    const named = [
      ...(exactly === undefined ? [] : [{ at: [...at, 'exactly'], name: exactly.deviceClassName }]),
      ...firstAvailable.map(({ deviceClassName: name }, place) => ({ at: [...at, 'firstAvailable', place], name })),
    ];
    for (const { at: from, name } of named) {
      const near = misspelt(name, classes);
      if (near === undefined) continue;
      const message = say`No DeviceClass named "${name}" is declared; did you mean ${near}? Pods of a claim whose class does not exist stay pending.`;
      yield findingAt(fact, [...from, 'deviceClassName'], message, { value: near });
    }
  }
}

function* misspeltClaims(fact: Fact, facts: FactsReader): Generator<Finding> {
  const { spec, path } = fact.template!;
  const known = new Map<string, ClaimSpec | undefined>();
  for (const [index, claim] of (spec.resourceClaims ?? []).entries()) {
    const field = claim.resourceClaimName === undefined ? 'resourceClaimTemplateName' : 'resourceClaimName';
    const kind = field === 'resourceClaimName' ? 'ResourceClaim' : 'ResourceClaimTemplate';
    const name = claim[field] ?? '';
    const all = claims(facts);
    const declared = all.byKey.get(`${kind}/${fact.namespace}/${name}`);
    known.set(claim.name, declared === undefined ? undefined : specOf(declared)?.spec);
    if (declared !== undefined) continue;
    const near = misspelt(name, all.namesIn.get(`${kind}/${fact.namespace}`) ?? []);
    const elsewhere = all.byName.get(`${kind}/${name}`);
    if (near === undefined && (elsewhere === undefined || isPlaceholder(name))) continue;
    const message =
      near === undefined
        ? say`${kind} "${name}" is declared in namespace ${elsewhere!.namespace}, and pods use those of their own namespace alone. Without it they stay pending.`
        : say`No ${kind} named "${name}" is declared in namespace ${fact.namespace}; did you mean ${near}? Without it the pods stay pending.`;
    yield findingAt(fact, [...path, 'spec', 'resourceClaims', index, field], message, {
      value: near ?? '',
      // What is not seen may bring one of that name.
      ...(near === undefined ? { absence: { of: 'Pod' as const, namespace: fact.namespace } } : {}),
    });
  }
  for (const list of ['initContainers', 'containers'] as const) {
    for (const [index, { resources }] of (spec[list] ?? []).entries()) {
      for (const [at, { name, request = '' }] of (resources?.claims ?? []).entries()) {
        const asked = known.get(name);
        if (request === '' || asked === undefined) continue;
        const requests = (asked.devices?.requests ?? []).map((each) => each.name);
        if (requests.includes(request)) continue;
        // Source: cdiDevicesAsList in pkg/kubelet/cm/dra/claiminfo.go
        const message = say`Claim ${name} has no request "${request}": the container starts without a device of it.`;
        const from = [...path, 'spec', list, index, 'resources', 'claims', at, 'request'];
        yield findingAt(fact, from, message, { value: likelyName(request, requests) ?? '' });
      }
    }
  }
}

function misspelt(name: string, known: readonly string[]): string | undefined {
  return name === '' || isPlaceholder(name) || known.includes(name) ? undefined : likelyName(name, known);
}
