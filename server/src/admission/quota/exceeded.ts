import { isQuantityError, parseQuantity, type Quantity } from '../../kubernetes/quantity.ts';

/** What the API server says of a quota that has too little left. Source: quota admission, CheckRequest (exceeded quota) */
export function exceededIn(message: string): {
  readonly quota: string;
  readonly amounts: ReadonlyMap<string, { readonly requested: Quantity; readonly used: Quantity }>;
} | null {
  const [, text = ''] = message.split('exceeded quota: ');
  const [quota = '', amountsText = ''] = text.split(', requested: ');
  const [requested = '', rest = ''] = amountsText.split(', used: ');
  const [used = ''] = rest.split(', limited: ');
  if (quota === '') return null;
  const usedOf = amountsIn(used);
  const amounts = [...amountsIn(requested)].flatMap(([resource, amount]) => {
    const before = usedOf.get(resource);
    return before === undefined ? [] : [[resource, { requested: amount, used: before }] as const];
  });
  return { quota, amounts: new Map(amounts) };
}

/** `requests.cpu=2,pods=3` */
function amountsIn(text: string): ReadonlyMap<string, Quantity> {
  const pairs = text.split(',').flatMap((pair) => {
    const at = pair.indexOf('=');
    const quantity = parseQuantity(pair.slice(at + 1));
    return at < 0 || isQuantityError(quantity) ? [] : [[pair.slice(0, at), quantity] as const];
  });
  return new Map(pairs);
}
