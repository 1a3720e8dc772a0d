import { isQualifiedName } from '../../kubernetes/label-syntax.ts';
import { isExtendedResourceName } from '../framework/scalar-resource-name.ts';
import type { ExtenderFields } from './fields.ts';
import type { NotModelled, Place } from './place.ts';

/** Checks the extenders, of which none is modelled. Source: validateExtenders */
export function readExtenders(extenders: readonly ExtenderFields[], place: Place): readonly NotModelled[] {
  const managed = new Set<string>();
  for (const [index, extender] of extenders.entries()) {
    const at = place.at(index);
    const { prioritizeVerb = '', weight = 0, httpTimeout, managedResources = [] } = extender;
    at.at('httpTimeout').duration(httpTimeout);
    if (prioritizeVerb !== '' && weight <= 0) {
      at.at('weight').invalid(weight, 'must have a positive weight applied to it');
    }
    for (const [number, { name }] of managedResources.entries()) {
      const nameAt = at.at('managedResources', number, 'name');
      nameAt.labelName(name);
      if (isQualifiedName(name) && !isExtendedResourceName(name)) {
        nameAt.invalid(name, 'is an invalid extended resource name');
      }
      if (managed.has(name)) nameAt.invalid(name, 'duplicate extender managed resource name');
      managed.add(name);
    }
  }
  const binders = extenders.filter(({ bindVerb = '' }) => bindVerb !== '').length;
  if (binders > 1) {
    place.invalid(`found ${binders} extenders implementing bind`, 'only one extender can implement bind');
  }
  return extenders.map(({ urlPrefix }, index) => ({
    name: `extender ${urlPrefix}`.trim(),
    path: place.at(index, 'urlPrefix').path,
  }));
}
