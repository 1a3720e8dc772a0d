/** Texts that end up in the file of a snapshot when kubectl fails or something else is written there. */
export const uselessSnapshots: Readonly<Record<string, { readonly text: string; readonly why: RegExp }>> = {
  nothing: { text: '', why: /is empty/ },
  'white space': { text: '\n  \n', why: /is empty/ },
  'a comment': { text: '# nodes\n---\n', why: /has no Kubernetes object/ },
  'a refusal of the API server': {
    text: 'Error from server (Forbidden): nodes is forbidden: User "x" cannot list resource "nodes"\n',
    why: /is not the output of kubectl get -o yaml or json: it has “Error from server \(Forbidden\)/,
  },
  'an unknown resource': {
    text: 'error: the server doesn\'t have a resource type "nods"\n',
    why: /it has “error: the server doesn't have/,
  },
  'a lost connection': {
    text: 'The connection to the server localhost:8080 was refused - did you specify the right host or port?\n',
    why: /it has “The connection to the server/,
  },
  'no resources': { text: 'No resources found in default namespace.\n', why: /it has “No resources found/ },
  'a table': {
    text: 'NAME     STATUS   ROLES    AGE   VERSION\nnode-a   Ready    <none>   1d    v1.34.0\n',
    why: /it has “NAME {5}STATUS/,
  },
  'a failure as JSON': {
    text: '{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"nodes is forbidden","code":403}\n',
    why: /is an error of the API server: “nodes is forbidden”/,
  },
  'a bare list': {
    text: '[{"apiVersion": "v1", "kind": "Node", "metadata": {"name": "a"}}]\n',
    why: /is not the output of kubectl/,
  },
  'a number': { text: '42\n', why: /is not the output of kubectl get -o yaml or json(?!: it has)/ },
  'an object without a kind': {
    text: 'items: []\n',
    why: /is not the output of kubectl get -o yaml or json(?!: it has)/,
  },
  'a list of nothing': { text: 'apiVersion: v1\nkind: List\nitems: []\n', why: /has no Kubernetes object/ },
  'a list of words': { text: 'apiVersion: v1\nkind: List\nitems: [node-a, node-b]\n', why: /has no Kubernetes object/ },
  'a page of a sign-in': {
    text: '<!DOCTYPE html>\n<html><body>Sign in</body></html>\n',
    why: /it has “<!DOCTYPE html>”/,
  },
  'half of an answer': {
    text: '{"apiVersion": "v1", "kind": "List", "items": [{"apiVersion": "v1", "kind": "Node", "metadata": {"na',
    why: /cannot be read at line 1: /,
  },
  'an answer with an error behind it': {
    text: 'apiVersion: v1\nkind: Node\nmetadata: {name: a}\n---\nerror: You must be logged in to the server\n',
    why: /it has “error: You must be logged in/,
  },
};
