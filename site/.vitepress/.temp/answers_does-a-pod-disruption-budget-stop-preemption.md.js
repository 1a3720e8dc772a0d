import { _ as _export_sfc, s as ssrRenderAttrs_1, v as vueExports } from "./plugin-vue_export-helper.BpaZaA78.js";
import "node:stream";
const __pageData = JSON.parse('{"title":"Does a PodDisruptionBudget stop preemption?","description":"","frontmatter":{},"headers":[],"relativePath":"answers/does-a-pod-disruption-budget-stop-preemption.md","filePath":"answers/does-a-pod-disruption-budget-stop-preemption.md"}');
const _sfc_main = { name: "answers/does-a-pod-disruption-budget-stop-preemption.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs_1(_attrs)}><h1 id="does-a-poddisruptionbudget-stop-preemption" tabindex="-1">Does a PodDisruptionBudget stop preemption? <a class="header-anchor" href="#does-a-poddisruptionbudget-stop-preemption" aria-label="Permalink to &quot;Does a PodDisruptionBudget stop preemption?&quot;">​</a></h1><p><strong>No.</strong> A budget is a promise of the eviction API, which <code>kubectl drain</code> and autoscalers use. kube-scheduler deletes its victims without asking that API. It prefers nodes on which no budget is broken; where there is none, it breaks one.</p><p>In <a href="https://github.com/OWNER/podium/blob/main/docs/answers/does-a-pod-disruption-budget-stop-preemption.yaml" target="_blank" rel="noreferrer">does-a-pod-disruption-budget-stop-preemption.yaml</a> a budget wants both pods of a cache to be healthy. A drain is refused, and preemption is not:</p><div class="language-console vp-adaptive-theme"><button title="Copy Code" class="copy"></button><span class="lang">console</span><pre class="shiki shiki-themes github-light github-dark vp-code" tabindex="0"><code><span class="line"><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;">$ podium evict shop/cache-0 docs/answers/does-a-pod-disruption-budget-stop-preemption.yaml</span></span>
<span class="line"><span style="--shiki-light:#005CC5;--shiki-dark:#79B8FF;">shop/cache-0: 429 TooManyRequests, refused by budget shop/cache.</span></span>
<span class="line"><span style="--shiki-light:#005CC5;--shiki-dark:#79B8FF;">  Cannot evict pod as it would violate the pod&#39;s disruption budget.</span></span>
<span class="line"><span style="--shiki-light:#005CC5;--shiki-dark:#79B8FF;">  The disruption budget cache needs 2 healthy pods and has 2 currently</span></span>
<span class="line"><span style="--shiki-light:#005CC5;--shiki-dark:#79B8FF;">  A 429 that names no budget comes from the rate limits of the API server, and passes by itself;</span></span>
<span class="line"><span style="--shiki-light:#005CC5;--shiki-dark:#79B8FF;">  kubectl drain tries again after 5 seconds.</span></span>
<span class="line"><span style="--shiki-light:#005CC5;--shiki-dark:#79B8FF;">  Stuck. PodDisruptionBudget shop/cache wants 2 of 2 pods healthy, so none may ever go. Lower</span></span>
<span class="line"><span style="--shiki-light:#005CC5;--shiki-dark:#79B8FF;">  minAvailable, raise maxUnavailable, or add replicas. Until then: pause what evicts, look at the</span></span>
<span class="line"><span style="--shiki-light:#005CC5;--shiki-dark:#79B8FF;">  application, or delete the pod directly, which asks no budget.</span></span>
<span class="line"><span style="--shiki-light:#005CC5;--shiki-dark:#79B8FF;">  Assumed: the pod runs and is ready.</span></span>
<span class="line"><span style="--shiki-light:#005CC5;--shiki-dark:#79B8FF;">  Assumed: the status of cache is worked out from the pods, as the disruption controller would.</span></span></code></pre></div><div class="language-console vp-adaptive-theme"><button title="Copy Code" class="copy"></button><span class="lang">console</span><pre class="shiki shiki-themes github-light github-dark vp-code" tabindex="0"><code><span class="line"><span style="--shiki-light:#24292E;--shiki-dark:#E1E4E8;">$ podium simulate docs/answers/does-a-pod-disruption-budget-stop-preemption.yaml</span></span>
<span class="line"><span style="--shiki-light:#005CC5;--shiki-dark:#79B8FF;">checkout evicts cache-0 (down) and breaks 1 budget.</span></span>
<span class="line"><span style="--shiki-light:#005CC5;--shiki-dark:#79B8FF;">checkout needs 2 cpu on one node. No node that it may use has more than 1 cpu free.</span></span>
<span class="line"></span>
<span class="line"><span style="--shiki-light:#005CC5;--shiki-dark:#79B8FF;">Evicted 1</span></span>
<span class="line"><span style="--shiki-light:#005CC5;--shiki-dark:#79B8FF;">  − cache-0  1 of 1  DOWN · BUDGET BROKEN · for checkout (important 100000) · budget keeps 2 of 1 ·</span></span>
<span class="line"><span style="--shiki-light:#005CC5;--shiki-dark:#79B8FF;">                     30 s to end</span></span>
<span class="line"><span style="--shiki-light:#005CC5;--shiki-dark:#79B8FF;">                     nothing recreates it</span></span>
<span class="line"><span style="--shiki-light:#005CC5;--shiki-dark:#79B8FF;">    → no pod is evicted</span></span>
<span class="line"><span style="--shiki-light:#005CC5;--shiki-dark:#79B8FF;">      podium simulate docs/answers/does-a-pod-disruption-budget-stop-preemption.yaml --what-if &#39;add 1 node like node-a&#39;</span></span>
<span class="line"><span style="--shiki-light:#005CC5;--shiki-dark:#79B8FF;">    → no pod is evicted</span></span>
<span class="line"><span style="--shiki-light:#005CC5;--shiki-dark:#79B8FF;">      podium simulate docs/answers/does-a-pod-disruption-budget-stop-preemption.yaml --what-if &#39;request deployment/shop/checkout cpu=1&#39;</span></span>
<span class="line"></span>
<span class="line"><span style="--shiki-light:#005CC5;--shiki-dark:#79B8FF;">Scheduled 1</span></span>
<span class="line"><span style="--shiki-light:#005CC5;--shiki-dark:#79B8FF;">  + checkout  1 of 1  node-a after 30 s · evicts 1 pod</span></span>
<span class="line"><span style="--shiki-light:#005CC5;--shiki-dark:#79B8FF;">                      why node-a: only there does evicting make room</span></span>
<span class="line"></span>
<span class="line"><span style="--shiki-light:#005CC5;--shiki-dark:#79B8FF;">1 new pod = 1 scheduled. 1 evicted = 0 scheduled again + 1 not recreated.</span></span>
<span class="line"><span style="--shiki-light:#005CC5;--shiki-dark:#79B8FF;">Kubernetes 1.36. Depends on 2 known, 2 bounds, 4 assumed. More: --show</span></span>
<span class="line"><span style="--shiki-light:#005CC5;--shiki-dark:#79B8FF;">nodes,steps,timeline,pods,decisions,capacity,assumptions.</span></span></code></pre></div><h2 id="how-the-scheduler-weighs-budgets" tabindex="-1">How the scheduler weighs budgets <a class="header-anchor" href="#how-the-scheduler-weighs-budgets" aria-label="Permalink to &quot;How the scheduler weighs budgets&quot;">​</a></h2><p>Of all nodes on which evicting makes room, it takes the one that breaks the fewest budgets; then the one whose highest victim has the lowest priority; then the lowest sum of priorities, the fewest victims, and the victims that started last. Within a node, pods whose budget would be broken are the first that it tries to spare. Podium shows the candidates side by side, with the criterion that decided.</p><h2 id="what-does-protect-a-pod" tabindex="-1">What does protect a pod <a class="header-anchor" href="#what-does-protect-a-pod" aria-label="Permalink to &quot;What does protect a pod&quot;">​</a></h2><ul><li><strong>A priority</strong> that is as high as that of the pods that may be deployed. <code>podium threats POD PATH…</code> names the classes and the declared workloads that could evict it.</li><li><strong><code>preemptionPolicy: Never</code></strong> on the classes of those who need not evict.</li><li><strong>A ResourceQuota</strong> with a <code>scopeSelector</code> on <code>PriorityClass</code>, which bounds how many pods may use a high class.</li><li><strong>Room</strong>: no pod is evicted where the pod fits.</li></ul><p>A victim gets its grace period (<code>terminationGracePeriodSeconds</code>), and what it belongs to makes a replacement, which may be pending then. The report says of each what becomes of it.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = vueExports.useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("answers/does-a-pod-disruption-budget-stop-preemption.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const doesAPodDisruptionBudgetStopPreemption = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  doesAPodDisruptionBudgetStopPreemption as default
};
