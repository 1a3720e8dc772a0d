import assert from 'node:assert/strict';
import { networkInterfaces } from 'node:os';
import { nearness } from '../../../server/src/fetching/near-addresses.ts';

describe('addresses', () => {
  const own = Object.values(networkInterfaces()).flatMap((all) => all ?? []);
  const here = [
    ...[
      '127.0.0.1',
      '127.1',
      '127.9.9.9',
      '2130706433',
      '0x7f000001',
      '0x7f.1',
      '017700000001',
      '0177.0.0.1',
      '0',
      '0.0.0.0',
    ],
    ...['localhost', 'LOCALHOST', 'localhost.', 'a.localhost', '127.0.0.1.', '%31%32%37.0.0.1', '１２７.0.0.1'],
    ...['[::1]', '[::]', '[0:0:0:0:0:0:0:1]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[::127.0.0.1]'],
    ...['[64:ff9b::127.0.0.1]', '[2002:7f00:1::]'],
    ...own.filter(({ family, internal }) => family === 'IPv4' && !internal).map(({ address }) => address),
  ];
  for (const host of here) {
    it(`of this machine are known however they are spelled: ${host}`, async () => {
      assert.equal(await nearness(`https://${host}/a.yaml`), 'here');
    });
  }

  const neighbours = [
    ...['169.254.169.254', '2852039166', '0xa9fea9fe', '0251.0376.0251.0376', '169.254.43518'],
    ...['[fe80::1]', '[febf::1]', '[::ffff:169.254.169.254]', '[64:ff9b::a9fe:a9fe]', '[2002:a9fe:a9fe::]'],
  ];
  for (const host of neighbours) {
    it(`of the link alone are known however they are spelled: ${host}`, async () => {
      assert.equal(await nearness(`https://${host}/a.yaml`), 'neighbour');
    });
  }

  it('of other machines are neither', async () => {
    for (const host of ['192.0.2.1', '[2001:db8::1]', 'podium.invalid']) {
      assert.equal(await nearness(`https://${host}/a.yaml`), null, host);
    }
  });
});
