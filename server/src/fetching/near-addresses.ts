import { lookup } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';
import { networkInterfaces } from 'node:os';

/**
 * Addresses of this machine, whoever asks: loopback and the unspecified address, as IPv6 has them, too (mapped,
 * compatible, translated, 6to4). A `BlockList` knows mapped ones itself.
 */
const here = new BlockList();
for (const [net, bits] of [
  ['127.0.0.0', 8],
  ['0.0.0.0', 8],
] as const) {
  here.addSubnet(net, bits, 'ipv4');
}
for (const [net, bits] of [
  ['::', 127],
  ['::7f00:0', 104],
  ['64:ff9b::7f00:0', 104],
  ['2002:7f00::', 24],
] as const) {
  here.addSubnet(net, bits, 'ipv6');
}

/** Addresses of the next neighbours: routers, and what clouds tell the machine that asks, its passwords among them. */
const linkLocal = new BlockList();
linkLocal.addSubnet('169.254.0.0', 16, 'ipv4');
for (const [net, bits] of [
  ['fe80::', 10],
  ['::a9fe:0', 112],
  ['64:ff9b::a9fe:0', 112],
  ['2002:a9fe::', 32],
] as const) {
  linkLocal.addSubnet(net, bits, 'ipv6');
}

/** Whether an address leads to this machine or to its next neighbours, however it is spelled; null for neither. */
export async function nearness(url: string): Promise<'here' | 'neighbour' | null> {
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  if (/(?:^|\.)localhost$/i.test(host)) return 'here';
  // A host that is not known is asked for nothing; its name may lead here all the same.
  const addresses =
    isIP(host) > 0 ? [host] : (await lookup(host, { all: true }).catch(() => [])).map((found) => found.address);
  const own = new Set(Object.values(networkInterfaces()).flatMap((all) => (all ?? []).map(({ address }) => address)));
  for (const address of addresses) {
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    // Before those of this machine, which may have such an address itself.
    if (linkLocal.check(address, family)) return 'neighbour';
    if (here.check(address, family) || own.has(address)) return 'here';
  }
  return null;
}
