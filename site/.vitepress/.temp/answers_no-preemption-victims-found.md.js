import { _ as _export_sfc, s as ssrRenderAttrs_1, v as vueExports } from "./plugin-vue_export-helper.BpaZaA78.js";
import "node:stream";
const __pageData = JSON.parse('{"title":"No preemption victims found for incoming pod","description":"","frontmatter":{},"headers":[],"relativePath":"answers/no-preemption-victims-found.md","filePath":"answers/no-preemption-victims-found.md"}');
const _sfc_main = { name: "answers/no-preemption-victims-found.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs_1(_attrs)}><h1 id="no-preemption-victims-found-for-incoming-pod" tabindex="-1">No preemption victims found for incoming pod <a class="header-anchor" href="#no-preemption-victims-found-for-incoming-pod" aria-label="Permalink to &quot;No preemption victims found for incoming pod&quot;">​</a></h1><p>When no node takes a pod, kube-scheduler looks for pods that it could evict to make room. It takes only those of a <strong>lower priority</strong>. This message counts the nodes on which there is none: what runs there has the same priority or a higher one.</p><p>In <a href="https://github.com/OWNER/podium/blob/main/docs/answers/no-preemption-victims-found.yaml" target="_blank" rel="noreferrer">no-preemption-victims-found.yaml</a> a database fills the node, and the new pod has the class of the database:</p><div class="language-console vp-adaptive-theme"><button title="Copy Code" class="copy"></button><span class="lang">console</span><pre class="shiki shiki-themes github-light github-dark vp-code" tabindex="0"><code><span class="line"><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;">$ podium simulate docs/answers/no-preemption-victims-found.yaml --show decisions</span></span>
<span class="line"><span style="--shiki-light:#005CC5;--shiki-dark:#79B8FF;">checkout stays pending: it asks for 2 cpu; at most 1 cpu free, on node-a, the only node it may use.</span></span>
<span class="line"></span>
<span class="line"><span style="--shiki-light:#005CC5;--shiki-dark:#79B8FF;">Pending 1</span></span>
<span class="line"><span style="--shiki-light:#005CC5;--shiki-dark:#79B8FF;">  ○ cpu  1 pod  checkout</span></span>
<span class="line"><span style="--shiki-light:#005CC5;--shiki-dark:#79B8FF;">                it asks for 2 cpu; at most 1 cpu free, on node-a, the only node it may use; no pod</span></span>
<span class="line"><span style="--shiki-light:#005CC5;--shiki-dark:#79B8FF;">                there has a lower priority than its 100000</span></span>
<span class="line"><span style="--shiki-light:#005CC5;--shiki-dark:#79B8FF;">    → no pod pending</span></span>
<span class="line"><span style="--shiki-light:#005CC5;--shiki-dark:#79B8FF;">      podium simulate docs/answers/no-preemption-victims-found.yaml --what-if &#39;add 1 node like node-a&#39;</span></span>
<span class="line"><span style="--shiki-light:#005CC5;--shiki-dark:#79B8FF;">    → no pod pending</span></span>
<span class="line"><span style="--shiki-light:#005CC5;--shiki-dark:#79B8FF;">      podium simulate docs/answers/no-preemption-victims-found.yaml --what-if &#39;request deployment/shop/checkout cpu=1&#39;</span></span>
<span class="line"></span>
<span class="line"><span style="--shiki-light:#005CC5;--shiki-dark:#79B8FF;">1 new pod = 0 scheduled + 1 pending.</span></span>
<span class="line"></span>
<span class="line"><span style="--shiki-light:#005CC5;--shiki-dark:#79B8FF;">What does not run, and why  1 pod</span></span>
<span class="line"><span style="--shiki-light:#005CC5;--shiki-dark:#79B8FF;">  checkout-84445f64ff-0 (important 100000)</span></span>
<span class="line"><span style="--shiki-light:#005CC5;--shiki-dark:#79B8FF;">    0/1 nodes are available: 1 Insufficient cpu. no new claims to deallocate, preemption: 0/1 nodes</span></span>
<span class="line"><span style="--shiki-light:#005CC5;--shiki-dark:#79B8FF;">    are available: 1 No preemption victims found for incoming pod.</span></span>
<span class="line"><span style="--shiki-light:#005CC5;--shiki-dark:#79B8FF;">    would help: 1 more cpu free on node-a</span></span>
<span class="line"><span style="--shiki-light:#005CC5;--shiki-dark:#79B8FF;">    would help: a priority above 100000: it would evict database on node-a</span></span>
<span class="line"><span style="--shiki-light:#005CC5;--shiki-dark:#79B8FF;">Kubernetes 1.36. Depends on 2 known, 0 bounds, 3 assumed. More: --show</span></span>
<span class="line"><span style="--shiki-light:#005CC5;--shiki-dark:#79B8FF;">nodes,steps,timeline,pods,capacity,assumptions.</span></span></code></pre></div><h2 id="what-to-do" tabindex="-1">What to do <a class="header-anchor" href="#what-to-do" aria-label="Permalink to &quot;What to do&quot;">​</a></h2><ul><li><strong>Look at both numbers.</strong> Hover over <code>priorityClassName</code> in VS Code: Podium shows the priority of the workload, its rank, and which pods it can evict. Pods without a class have the priority of the class with <code>globalDefault: true</code>, or 0.</li><li><strong>A higher class</strong> for the new pod, or a lower one for the pods that it may evict. A class&#39;s value cannot be changed once it exists; a new class can be made.</li><li><strong><code>preemptionPolicy: Never</code></strong> on the class means that the pod keeps its place in the queue and evicts no others; the scheduler then says <code>not eligible due to preemptionPolicy=Never</code>.</li><li><strong>More room</strong>: <code>podium simulate docs/answers/no-preemption-victims-found.yaml --what-if &#39;add 1 node like node-a&#39;</code> shows whether a node is enough.</li></ul><h2 id="messages-that-look-alike" tabindex="-1">Messages that look alike <a class="header-anchor" href="#messages-that-look-alike" aria-label="Permalink to &quot;Messages that look alike&quot;">​</a></h2><table tabindex="0"><thead><tr><th>message</th><th>what it means</th></tr></thead><tbody><tr><td><code>No preemption victims found for incoming pod</code></td><td>nothing of a lower priority runs there</td></tr><tr><td><code>Insufficient cpu</code> after <code>preemption:</code></td><td>there are such pods, but even without all of them there is too little room</td></tr><tr><td><code>Preemption is not helpful for scheduling</code></td><td>the node would refuse the pod even if it were empty: a selector, a taint, a volume, its size</td></tr></tbody></table><p>A PodDisruptionBudget is in none of them: <a href="./does-a-pod-disruption-budget-stop-preemption">it does not stop preemption</a>.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = vueExports.useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("answers/no-preemption-victims-found.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const noPreemptionVictimsFound = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  noPreemptionVictimsFound as default
};
