import { say } from '../../../../server/src/util/say.ts';
import { qualifiedName, titleOf } from '../../../../server/src/util/words.ts';
import type { Origin } from '../../../../server/src/report-model/origin.ts';
import { isAlone } from '../standalone.ts';
import { selectPod } from '../model/view-state.ts';
import { usePage } from '../page-context.ts';

/** Leads to a pod; Escape leads back. */
export function PodLink({ pod }: { readonly pod: number }) {
  const { report, dispatch } = usePage();
  const found = report.pods[pod];
  return found === undefined ? null : (
    <button
      type="button"
      class="link"
      onClick={() => {
        dispatch({ type: 'follow', selection: selectPod(report, pod) });
      }}
    >
      {qualifiedName(found)}
    </button>
  );
}

/** Leads to a node; Escape leads back. */
export function NodeLink({ node }: { readonly node: number | null }) {
  const { report, dispatch } = usePage();
  const found = node === null ? undefined : report.nodes[node];
  return found === undefined || node === null ? (
    <span class="muted">–</span>
  ) : (
    <button
      type="button"
      class="link"
      onClick={() => {
        dispatch({ type: 'follow', selection: { kind: 'node', node } });
      }}
    >
      {found.name}
    </button>
  );
}

/** `Deployment shop/checkout`, leading to its first pod; a double click shows its manifest. */
export function WorkloadLink({ workload }: { readonly workload: number }) {
  const { report, dispatch, revealOrigin } = usePage();
  const found = report.workloads[workload];
  if (found === undefined) {
    return null;
  }
  const pod = report.pods.findIndex((each) => each.workload === workload);
  return pod < 0 ? (
    <span>{titleOf(found)}</span>
  ) : (
    <button
      type="button"
      class="link"
      onClick={() => {
        dispatch({ type: 'follow', selection: selectPod(report, pod) });
      }}
      onDblClick={() => {
        revealOrigin(found.origin);
      }}
    >
      {titleOf(found)}
    </button>
  );
}

/** `checkout.yaml:14`. */
export function ManifestLink({ origin }: { readonly origin: Origin | null }) {
  const { revealOrigin } = usePage();
  if (origin === null) {
    return null;
  }
  const place = `${fileName(origin.uri)}:${origin.range.start.line + 1}`;
  if (isAlone) return <span>{place}</span>;
  return (
    <button
      type="button"
      class="link"
      title={say`Show the manifest`}
      onClick={() => {
        revealOrigin(origin);
      }}
    >
      {place}
    </button>
  );
}

function fileName(uri: string): string {
  const name = uri.slice(uri.lastIndexOf('/') + 1);
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
