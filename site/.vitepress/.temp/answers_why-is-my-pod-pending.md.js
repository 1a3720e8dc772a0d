import { _ as _export_sfc, s as ssrRenderAttrs_1, v as vueExports } from "./plugin-vue_export-helper.BpaZaA78.js";
import "node:stream";
const __pageData = JSON.parse('{"title":"Why is my pod pending?","description":"","frontmatter":{},"headers":[],"relativePath":"answers/why-is-my-pod-pending.md","filePath":"answers/why-is-my-pod-pending.md"}');
const _sfc_main = { name: "answers/why-is-my-pod-pending.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs_1(_attrs)}><h1 id="why-is-my-pod-pending" tabindex="-1">Why is my pod pending? <a class="header-anchor" href="#why-is-my-pod-pending" aria-label="Permalink to &quot;Why is my pod pending?&quot;">​</a></h1><p>A pod is pending because no node takes it. kube-scheduler says so in one line of <code>kubectl describe pod</code>: it counts, for each reason, the nodes that refuse the pod for it.</p><p><a href="https://github.com/OWNER/podium/blob/main/docs/answers/why-is-my-pod-pending.yaml" target="_blank" rel="noreferrer">why-is-my-pod-pending.yaml</a> has three nodes and a Deployment that none of them takes: one is too small, one has a taint, one is in another zone. Podium gives the line that the scheduler would give, before anything is applied, and says of each reason what would remove it:</p><div class="language-console vp-adaptive-theme"><button title="Copy Code" class="copy"></button><span class="lang">console</span><pre class="shiki shiki-themes github-light github-dark vp-code" tabindex="0"><code><span class="line"><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;">$ podium simulate docs/answers/why-is-my-pod-pending.yaml --show decisions</span></span>
<span class="line"><span style="--shiki-light:#005CC5;--shiki-dark:#79B8FF;">search stays pending: it asks for 4 cpu and 8 Gi; the largest node it may use has 2 cpu and 4 Gi.</span></span>
<span class="line"></span>
<span class="line"><span style="--shiki-light:#005CC5;--shiki-dark:#79B8FF;">Pending 1</span></span>
<span class="line"><span style="--shiki-light:#005CC5;--shiki-dark:#79B8FF;">  ○ cpu and memory  1 pod  search</span></span>
<span class="line"><span style="--shiki-light:#005CC5;--shiki-dark:#79B8FF;">                           it asks for 4 cpu and 8 Gi; the largest node it may use has 2 cpu and 4</span></span>
<span class="line"><span style="--shiki-light:#005CC5;--shiki-dark:#79B8FF;">                           Gi; gpu is closed to it by taint nvidia.com/gpu=present:NoSchedule;</span></span>
<span class="line"><span style="--shiki-light:#005CC5;--shiki-dark:#79B8FF;">                           other-zone lacks topology.kubernetes.io/zone=a</span></span>
<span class="line"><span style="--shiki-light:#005CC5;--shiki-dark:#79B8FF;">    → no pod pending</span></span>
<span class="line"><span style="--shiki-light:#005CC5;--shiki-dark:#79B8FF;">      podium simulate docs/answers/why-is-my-pod-pending.yaml --what-if &#39;add 1 node like small 4:8Gi&#39;</span></span>
<span class="line"><span style="--shiki-light:#005CC5;--shiki-dark:#79B8FF;">    → no pod pending</span></span>
<span class="line"><span style="--shiki-light:#005CC5;--shiki-dark:#79B8FF;">      podium simulate docs/answers/why-is-my-pod-pending.yaml --what-if &#39;request deployment/shop/search cpu=2 memory=4Gi&#39;</span></span>
<span class="line"></span>
<span class="line"><span style="--shiki-light:#005CC5;--shiki-dark:#79B8FF;">1 new pod = 0 scheduled + 1 pending.</span></span>
<span class="line"></span>
<span class="line"><span style="--shiki-light:#005CC5;--shiki-dark:#79B8FF;">What does not run, and why  1 pod</span></span>
<span class="line"><span style="--shiki-light:#005CC5;--shiki-dark:#79B8FF;">  search-dd9c89b56-0 (priority 0)</span></span>
<span class="line"><span style="--shiki-light:#005CC5;--shiki-dark:#79B8FF;">    0/3 nodes are available: 1 Insufficient cpu, 1 Insufficient memory, 1 node(s) didn&#39;t match Pod&#39;s</span></span>
<span class="line"><span style="--shiki-light:#005CC5;--shiki-dark:#79B8FF;">    node affinity/selector, 1 node(s) had untolerated taint(s). no new claims to deallocate,</span></span>
<span class="line"><span style="--shiki-light:#005CC5;--shiki-dark:#79B8FF;">    preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling.</span></span>
<span class="line"><span style="--shiki-light:#005CC5;--shiki-dark:#79B8FF;">    would help: a node with 4 cpu: those that it may use have 2 at most</span></span>
<span class="line"><span style="--shiki-light:#005CC5;--shiki-dark:#79B8FF;">    would help: a node with 8Gi memory: those that it may use have 4Gi at most</span></span>
<span class="line"><span style="--shiki-light:#005CC5;--shiki-dark:#79B8FF;">    would help: a toleration for nvidia.com/gpu=present:NoSchedule: gpu would take it</span></span>
<span class="line"><span style="--shiki-light:#005CC5;--shiki-dark:#79B8FF;">    would help: a node selector and node affinity that match other nodes: other-zone would take it</span></span>
<span class="line"><span style="--shiki-light:#005CC5;--shiki-dark:#79B8FF;">Kubernetes 1.36. Depends on 2 known, 0 bounds, 2 assumed. More: --show</span></span>
<span class="line"><span style="--shiki-light:#005CC5;--shiki-dark:#79B8FF;">nodes,steps,timeline,pods,capacity,assumptions.</span></span></code></pre></div><p>In VS Code the lens above the Deployment says that it stays pending, and <em>Podium: Simulate Scheduling</em> opens the same answer beside it.</p><h2 id="how-to-read-the-line" tabindex="-1">How to read the line <a class="header-anchor" href="#how-to-read-the-line" aria-label="Permalink to &quot;How to read the line&quot;">​</a></h2><ul><li><strong><code>0/3 nodes are available:</code></strong> how many nodes there are, and that none is left.</li><li><strong><code>Insufficient cpu</code></strong>: what the pods on the node request, and what this one requests, is more than the node has. Requests count, not what is used. A node that refuses for two resources counts twice.</li><li><strong><code>node(s) didn&#39;t match Pod&#39;s node affinity/selector</code></strong>: a label that the pod asks for is not on the node.</li><li><strong><code>node(s) had untolerated taint(s)</code></strong>: a taint keeps away what does not tolerate it.</li><li><strong><code>preemption: …</code></strong>: what came of the attempt to evict pods of lower priority. <em>Preemption is not helpful</em> means that the node would refuse the pod even if it were empty: <a href="./no-preemption-victims-found">more about preemption</a>.</li></ul><p>Podium names the nodes that are nearest to taking the pod and everything that is lacking there; nodes that are closed to it, as by the taint of the control plane, come after that.</p><h2 id="when-the-line-does-not-help" tabindex="-1">When the line does not help <a class="header-anchor" href="#when-the-line-does-not-help" aria-label="Permalink to &quot;When the line does not help&quot;">​</a></h2><ul><li>A pod with <code>schedulingGates</code> is not looked at until the last gate is removed. It is <code>SchedulingGated</code>, not refused.</li><li>A pod whose <code>schedulerName</code> nobody runs waits without a word.</li><li>A pod that does not exist cannot be pending: a ResourceQuota, or a <code>priorityClassName</code> that no PriorityClass has, refuses the pod when its workload creates it. The workload&#39;s events say so, and <a href="https://github.com/OWNER/podium/blob/main/docs/rules" target="_blank" rel="noreferrer"><code>podium check</code></a> says it beforehand.</li><li>An autoscaler adds nodes only when one of its own would take the pod. <code>--what-if &#39;add 1 node 8:64Gi&#39;</code> shows whether that helps.</li></ul></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = vueExports.useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("answers/why-is-my-pod-pending.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const whyIsMyPodPending = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  whyIsMyPodPending as default
};
