import type { FieldError } from '../../kubernetes/field-error.ts';
import type { Path } from '../../kubernetes/json.ts';
import { isQualifiedName } from '../../kubernetes/label-syntax.ts';
import { isExtendedResourceName } from '../framework/scalar-resource-name.ts';
import type { ExtenderFields } from './fields.ts';
import { readDuration } from './go-duration.ts';
import { validateLabelName } from './label-names.ts';
import { invalid, type NotModelled } from './problems.ts';

/** Checks the extenders, of which none is modelled. Source: validateExtenders */
export function readExtenders(extenders: readonly ExtenderFields[], problems: FieldError[]): readonly NotModelled[] {
  const managed = new Set<string>();
  for (const [index, extender] of extenders.entries()) {
    const path: Path = ['extenders', index];
    const { prioritizeVerb = '', weight = 0, httpTimeout, managedResources = [] } = extender;
    readDuration(httpTimeout, [...path, 'httpTimeout'], problems);
    if (prioritizeVerb !== '' && weight <= 0) {
      problems.push(invalid([...path, 'weight'], weight, 'must have a positive weight applied to it'));
    }
    for (const [at, { name }] of managedResources.entries()) {
      const namePath = [...path, 'managedResources', at, 'name'];
      validateLabelName(name, namePath, problems);
      if (isQualifiedName(name) && !isExtendedResourceName(name)) {
        problems.push(invalid(namePath, name, 'is an invalid extended resource name'));
      }
      if (managed.has(name)) problems.push(invalid(namePath, name, 'duplicate extender managed resource name'));
      managed.add(name);
    }
  }
  const binders = extenders.filter(({ bindVerb = '' }) => bindVerb !== '').length;
  if (binders > 1) {
    problems.push(
      invalid(['extenders'], `found ${binders} extenders implementing bind`, 'only one extender can implement bind'),
    );
  }
  return extenders.map(({ urlPrefix }, index) => ({
    name: `extender ${urlPrefix}`.trim(),
    path: ['extenders', index, 'urlPrefix'],
  }));
}
