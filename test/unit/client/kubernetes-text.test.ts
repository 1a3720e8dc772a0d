import assert from 'node:assert/strict';
import { looksLikeKubernetes } from '../../../client/src/kubernetes-text.ts';

describe('looksLikeKubernetes', () => {
  const yes = {
    'a manifest': 'apiVersion: v1\nkind: Pod\n',
    'keys in another order, behind a comment': '# a pod\nkind: Pod\nmetadata:\n  name: a\napiVersion: v1\n',
    'a second document': 'a: 1\n---\napiVersion: v1\nkind: Pod\n',
    'Windows line ends': 'apiVersion: v1\r\nkind: Pod\r\n',
    'quoted keys': '"apiVersion": v1\n\'kind\': Pod\n',
    JSON: '{\n  "kind": "Pod",\n  "apiVersion": "v1"\n}',
    'JSON on one line': '{"apiVersion":"v1","kind":"Pod"}',
  };
  for (const [what, text] of Object.entries(yes)) {
    it(`is true for ${what}`, () => {
      assert(looksLikeKubernetes(text));
    });
  }

  const no = {
    'an empty text': '',
    'a compose file': 'services:\n  web:\n    image: nginx\n',
    'a chart, which has no kind': 'apiVersion: v2\nname: chart\n',
    'keys inside something else': 'template:\n  apiVersion: v1\n  kind: Pod\n',
    'keys in a comment': '# apiVersion: v1\n# kind: Pod\n',
    'half of it in JSON': '{ "kind": "of" }',
  };
  for (const [what, text] of Object.entries(no)) {
    it(`is false for ${what}`, () => {
      assert(!looksLikeKubernetes(text));
    });
  }
});
