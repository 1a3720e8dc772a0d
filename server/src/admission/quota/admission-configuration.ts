import { isList, isObject, valueAt } from '../../util/values.ts';
import type { LimitedResource } from './quota.ts';

/**
 * What the API server limits by its configuration: the `limitedResources` of the plugin ResourceQuota, in an
 * AdmissionConfiguration or in the ResourceQuotaConfiguration that one names. Of what cannot be read nothing is taken.
 * Source: plugin/pkg/admission/resourcequota/apis/resourcequota/v1/types.go
 */
export function limitedResourcesOf(configuration: unknown): readonly LimitedResource[] {
  const plugins = valueAt(configuration, ['plugins']);
  const ofPlugin = isList(plugins)
    ? plugins.filter((plugin) => valueAt(plugin, ['name']) === 'ResourceQuota')
    : [{ configuration }];
  return ofPlugin.flatMap((plugin) => {
    const limited = valueAt(plugin, ['configuration', 'limitedResources']);
    return isList(limited) ? limited.flatMap(limitedResource) : [];
  });
}

function limitedResource(value: unknown): LimitedResource[] {
  if (!isObject(value) || value['resource'] !== 'pods') return [];
  const scopes = listIn(value['matchScopes']).flatMap((scope) => {
    const { scopeName, operator, values } = isObject(scope) ? scope : {};
    if (typeof scopeName !== 'string' || typeof operator !== 'string') return [];
    return [{ scopeName, operator, values: listIn(values).filter((each) => typeof each === 'string') }];
  });
  const contains = listIn(value['matchContains']).filter((each) => typeof each === 'string');
  return [
    {
      ...(scopes.length === 0 ? {} : { matchScopes: scopes }),
      ...(contains.length === 0 ? {} : { matchContains: contains }),
    },
  ];
}

function listIn(value: unknown): readonly unknown[] {
  return isList(value) ? value : [];
}
