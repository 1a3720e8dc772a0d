import { own } from '../../../../server/src/util/own.ts';
import { evictedPods } from '../../../../server/src/report-model/evicted-pods.ts';
import { markOf } from '../../../../server/src/report-model/assumed.ts';
import { stateWord } from '../../../../server/src/report-model/words.ts';
import { say } from '../../../../server/src/util/say.ts';
import { formatAmount, formatUsage } from '../../../../server/src/util/amounts.ts';
import { clockText, count, grouped, outOf, qualifiedName, momentText } from '../../../../server/src/util/words.ts';
import type { ComponentChildren } from 'preact';
import { priorityText } from '../../../src/report/format.ts';
import { budgetText, fateText } from '../../../src/report/victim-text.ts';
import { deviceText, devicesOf, freeDevicesText, holderText } from '../../../../server/src/report-model/devices.ts';
import {
  isGone,
  type PodPlace,
  type ReportDevice,
  type ReportPod,
  type ReportVictim,
} from '../../../../server/src/report-model/report.ts';
import { nextText, placesText, sizeText } from '../model/capacity.ts';
import { usePage } from '../page-context.ts';
import { ManifestLink, NodeLink, PodLink, WorkloadLink } from './links.tsx';

/** What is known of the selected pod or node. */
export function Facts() {
  const { view } = usePage();
  const { selection } = view;
  if (selection === null) {
    return <p class="empty-text">{say`Select a pod or a node to see more about it.`}</p>;
  }
  return selection.kind === 'pod' ? <PodFacts pod={selection.pod} /> : <NodeFacts node={selection.node} />;
}

function Fact({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    <div class="fact">
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function FactsTitle({ name, role }: { readonly name: string; readonly role: string }) {
  return (
    <h2 class="facts-title">
      {name}
      {role !== '' && <span class="muted">{` — ${role}`}</span>}
    </h2>
  );
}

function PodFacts({ pod: index }: { readonly pod: number }) {
  const { report, names } = usePage();
  const pod = report.pods[index];
  if (pod === undefined) {
    return null;
  }
  const victim = report.victims.find((entry) => entry.pod === index);
  const isEvicted = evictedPods(report).has(index);
  const replaces = report.victims.find((entry) => entry.replacement === index);
  const drained = report.drains.flatMap(({ evicted, node }) => evicted.map((each) => ({ ...each, node })));
  const blocked = report.drains.flatMap((drain) => drain.blocked).find((entry) => entry.pod === index);
  const drain = drained.find((entry) => entry.pod === index);
  const pressed = report.pressures.flatMap(({ evicted }) => evicted);
  const byKubelet = pressed.find((entry) => entry.pod === index);
  const replaced = replaces?.pod ?? [...drained, ...pressed].find((entry) => entry.replacement === index)?.pod;
  const role =
    victim !== undefined
      ? say`victim, ${fateText(names, victim)}`
      : drain !== undefined
        ? say`drained after ${clockText(drain.clock)}`
        : byKubelet !== undefined
          ? say`evicted by the kubelet after ${clockText(byKubelet.clock)}`
          : blocked !== undefined
            ? say`blocks the drain of its node`
            : stateOf(pod.after, isEvicted);
  const requests = Object.entries(pod.requests).filter(([, amount]) => amount !== 0);
  return (
    <section aria-label={say`Selected pod`}>
      <FactsTitle name={qualifiedName(pod)} role={role} />
      <dl class="facts">
        {pod.workload !== null && (
          <Fact name={say`workload`}>
            <WorkloadLink workload={pod.workload} />
            <Replicas workload={pod.workload} />
          </Fact>
        )}
        <Fact name={say`priority`}>{priorityText(pod)}</Fact>
        <Fact name={say`place`}>
          <Places before={pod.before} after={pod.after} isEvicted={isEvicted} />
        </Fact>
        <Fact name={say`requests`}>
          {requests.length === 0
            ? say`nothing`
            : requests.map(([resource, amount]) => `${formatAmount(resource, amount)} ${resource}`).join(', ')}
        </Fact>
        <Fact name={say`budgets`}>{pod.budgets.length === 0 ? say`none selects it` : pod.budgets.join(', ')}</Fact>
        <Fact name={say`grace period`}>{clockText(pod.gracePeriodSeconds)}</Fact>
        <Devices devices={(report.devices ?? []).filter(({ pods }) => pods.includes(index))} />
        {pod.origin !== null && (
          <Fact name={say`manifest`}>
            <ManifestLink origin={pod.origin} />
          </Fact>
        )}
        {victim !== undefined && <VictimFacts victim={victim} />}
        {blocked !== undefined && <Fact name={say`eviction`}>{`${blocked.why}. ${blocked.help}`}</Fact>}
        {drain?.replacement != null && (
          <Fact name={say`replaced by`}>
            <PodLink pod={drain.replacement} />
          </Fact>
        )}
        {replaced !== undefined && (
          <Fact name={say`replaces`}>
            <PodLink pod={replaced} />
          </Fact>
        )}
        {pod.workload !== null && <RoomFact workload={pod.workload} />}
        {pod.threats.length > 0 && (
          <Fact name={say`could be evicted by`}>
            <ul class="plain">
              {pod.threats.map((workload) => {
                const threat = report.workloads[workload];
                return threat === undefined ? null : (
                  <li key={workload}>
                    <WorkloadLink workload={workload} /> <span class="muted">{priorityText(threat)}</span>
                  </li>
                );
              })}
            </ul>
          </Fact>
        )}
      </dl>
    </section>
  );
}

/** How many more of them fit, where somebody has asked. */
function RoomFact({ workload }: { readonly workload: number }) {
  const { capacity, names, report } = usePage();
  const row = capacity.get(workload);
  if (typeof row !== 'object' || row.refusal !== '') return null;
  const mark = markOf(report.nodes);
  const places = placesText(row, names);
  return (
    <>
      <Fact name={say`more of it fit`}>
        {say`${sizeText(row.free, mark)} evicting nobody, ${sizeText(row.withinBudgets, mark)} within budgets, ${sizeText(row.evicting, mark)} breaking them`}
        {places !== '' && <span class="muted">{` · ${places}`}</span>}
        {row.gates.length > 0 && <span class="muted">{say` · without its scheduling gates`}</span>}
        {row.sharesClaims && <span class="muted">{say` · if they shared the claims of the first`}</span>}
      </Fact>
      <Fact name={say`the next one`}>
        {nextText(row, names)}
        {row.evicts !== null && row.message !== '' && <p class="muted">{row.message}</p>}
      </Fact>
    </>
  );
}

function Replicas({ workload }: { readonly workload: number }) {
  const { report } = usePage();
  const evicted = report.victims.filter((victim) => victim.workload === workload).length;
  const replicas = report.workloads[workload]?.replicas ?? 0;
  return (
    <span class="muted">
      {evicted === 0
        ? ` · ${count(replicas, 'replica')}`
        : say` · ${grouped(evicted)} of ${count(replicas, 'pod')} evicted`}
    </span>
  );
}

interface PlacesProps extends Pick<ReportPod, 'before' | 'after'> {
  readonly isEvicted: boolean;
}

function Places({ before, after, isEvicted }: PlacesProps) {
  if (before.node === after.node && before.state === after.state) {
    return <Place place={after} />;
  }
  return (
    <>
      <Place place={before} /> <span class="muted">→</span>{' '}
      {isGone(after.state) ? stateWord(after.state, isEvicted) : <Place place={after} />}
    </>
  );
}

function Place({ place }: { readonly place: PodPlace }) {
  return place.node === null ? (
    <span>{stateWord(place.state)}</span>
  ) : (
    <>
      {place.state === 'running' ? '' : say`${stateWord(place.state)} on `}
      <NodeLink node={place.node} />
    </>
  );
}

/** Question 2: who is hurt, and how much. */
function VictimFacts({ victim }: { readonly victim: ReportVictim }) {
  const { names } = usePage();
  const { running, before } = victim.remaining;
  return (
    <>
      <Fact name={say`makes room for`}>
        <PodLink pod={victim.preemptor} />
      </Fact>
      <Fact name={say`its budget`}>
        <span class={{ violated: 'tone-bad', kept: 'tone-good', none: '' }[victim.budget.state]}>
          {budgetText(victim)}
        </span>
      </Fact>
      <Fact name={say`left running`}>{outOf(grouped(running), grouped(before))}</Fact>
      <Fact name={say`then`}>
        {fateText(names, victim)}
        {victim.replacement !== null && (
          <>
            {': '}
            <PodLink pod={victim.replacement} />
          </>
        )}
      </Fact>
      {victim.event !== '' && <Fact name={say`event`}>{victim.event}</Fact>}
    </>
  );
}

function stateOf(place: PodPlace, isEvicted: boolean): string {
  return place.state === 'gated' ? say`held by its scheduling gates` : stateWord(place.state, isEvicted);
}

/** Devices, and which claims and pods have them. */
function Devices({ devices }: { readonly devices: readonly ReportDevice[] }) {
  const { names } = usePage();
  if (devices.length === 0) return null;
  return (
    <Fact name={say`devices`}>
      {freeDevicesText(devices)}
      <ul class="plain">
        {devices.map((device) => (
          <li key={`${device.driver}/${device.pool}/${device.name}`} title={deviceText(device)}>
            {device.name}: {holderText(device, names)}
            <span class="muted">{` · ${deviceText(device)}`}</span>
          </li>
        ))}
      </ul>
    </Fact>
  );
}

function NodeFacts({ node: index }: { readonly node: number }) {
  const { report, frame } = usePage();
  const node = report.nodes[index];
  if (node === undefined) {
    return null;
  }
  const requested = frame.requestedOn(index);
  const role = [
    node.assumed ? say`assumed` : '',
    node.comes === undefined ? '' : say`comes at ${momentText(report, node.comes)}`,
    node.unschedulable ? say`unschedulable` : '',
  ]
    .filter(Boolean)
    .join(', ');
  return (
    <section aria-label={say`Selected node`}>
      <FactsTitle name={node.name} role={role} />
      <dl class="facts">
        <Fact name={say`zone`}>{node.zone === '' ? say`none` : node.zone}</Fact>
        {Object.entries(node.allocatable).map(([resource, amount]) => (
          <Fact key={resource} name={resource}>
            <span class="figure">{formatUsage(resource, own(requested, resource) ?? 0, amount, '/')}</span>
            <span class="muted"> {say`requested`}</span>
          </Fact>
        ))}
        <Devices devices={devicesOf(report, index)} />
        <Fact name={say`taints`}>{node.taints.length === 0 ? say`none` : node.taints.join(', ')}</Fact>
        {node.origin !== null && (
          <Fact name={say`manifest`}>
            <ManifestLink origin={node.origin} />
          </Fact>
        )}
      </dl>
    </section>
  );
}
