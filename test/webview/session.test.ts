import assert from 'node:assert/strict';
import { type HostMessage, hostMessageSchema } from '../../client/src/report/host-messages.ts';
import { reportMarkdown } from '../../server/src/report-model/markdown.ts';
import { decompressed } from '../../server/src/report-model/compressed.ts';
import { Inbox } from '../../client/webview/src/inbox.ts';
import { reportHtml } from '../../client/src/report/report-html.ts';
import { type Beginning, ReportSession } from '../../client/src/report/report-session.ts';
import type { Capacity } from '../../server/src/report-model/capacity.ts';
import type { Other } from '../../client/src/on-request/compare-with.ts';
import type { Against, Confirmation, ScenarioRequest } from '../../server/src/protocol.ts';
import type { Effect } from '../../server/src/report-model/effect.ts';
import type { Remedy } from '../../server/src/report-model/remedy.ts';
import type { Report, ReportDecision, WholeReport } from '../../server/src/report-model/report.ts';
import { bigReport } from './big-report.ts';
import { origin, sampleComparison, sampleReport, soFar, verdictsOf } from './sample-report.ts';

/** As the server sends it. */
function atAGlance(report: WholeReport): Report {
  return { ...report, decisions: verdictsOf(report) };
}

/** The reports that were sent to the page. */
function reportsIn(posted: readonly HostMessage[]): readonly Report[] {
  return posted.flatMap((message) => (message.type === 'report' ? [message.report] : []));
}

/** A session whose surroundings are in the hands of the test. */
function start(beginning?: Beginning) {
  const posted: HostMessage[] = [];
  const asked: { readonly operations: readonly string[]; answer(effects: readonly Effect[]): void }[] = [];
  const looks: { readonly signal: AbortSignal; answer(remedies: readonly Remedy[]): void }[] = [];
  const applied: string[] = [];
  const kept: (readonly string[])[] = [];
  const runs: {
    readonly operations: readonly string[];
    readonly signal: AbortSignal;
    readonly scenario: ScenarioRequest;
    readonly against: Against | undefined;
    readonly asks: readonly string[];
    answer(report: Report | Confirmation): void;
    fail(error: Error): void;
  }[] = [];
  const questions: {
    readonly run: number;
    readonly indexes: readonly number[] | null;
    answer(decisions: readonly ReportDecision[]): void;
    fail(error: Error): void;
  }[] = [];
  const measured: {
    readonly run: number;
    readonly workloads: readonly number[];
    readonly signal: AbortSignal;
    answer(rows: readonly Capacity[]): void;
    fail(error: Error): void;
  }[] = [];
  const revealed: string[] = [];
  const saved: { readonly text: string; readonly extension: string }[] = [];
  const copied: string[] = [];
  const refreshed: string[] = [];
  const others = new Map<string, Other>();
  const timers = new Set<() => void>();
  const keptRuns: (Report | null)[] = [];
  const session = new ReportSession(
    { kind: 'workspace' },
    {
      post: (message) => posted.push(message),
      simulate: (scenario, operations, signal, { against, asks }) =>
        new Promise((answer, fail) => {
          runs.push({ scenario, operations, signal, against, asks, answer, fail });
        }),
      explain: (run, indexes) =>
        new Promise((answer, fail) => {
          questions.push({ run, indexes, answer, fail });
        }),
      capacity: (run, workloads, signal) =>
        new Promise((answer, fail) => {
          measured.push({ run, workloads, signal, answer, fail });
        }),
      effects: (_scenario, operations) =>
        new Promise((answer) => {
          asked.push({ operations, answer });
        }),
      remedies: (_scenario, _operations, signal) =>
        new Promise((answer) => {
          looks.push({ signal, answer });
        }),
      apply: (operation) => applied.push(operation),
      keepRun: (report) => {
        keptRuns.push(report);
        return Promise.resolve(report === null ? null : 'file:///storage/previous-run.json');
      },
      keep: (operations) => kept.push(operations),
      chooseOther: (kind) => Promise.resolve(others.get(kind)),
      choose: () => Promise.resolve(['cordon node/kept']),
      reveal: ({ uri }) => revealed.push(uri),
      page: () => Promise.resolve({ script: 'draw()', style: 'h1 { color: red }' }),
      save: (content, extension) => {
        const text = typeof content === 'string' ? content : Buffer.from(content).toString('latin1');
        saved.push({ text, extension });
      },
      copy: (text) => copied.push(text),
      run: (command) => refreshed.push(command),
      after: (_milliseconds, callback) => {
        timers.add(callback);
        return () => timers.delete(callback);
      },
    },
    beginning,
  );
  const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  /** What exports is loaded when the first is asked for. */
  const come = async (list: readonly unknown[], length: number): Promise<void> => {
    while (list.length < length) await settled();
  };
  const elapse = (): void => {
    const due = [...timers];
    timers.clear();
    for (const callback of due) {
      callback();
    }
  };
  const lastStatus = (): HostMessage | undefined => posted.findLast(({ type }) => type === 'status');
  return {
    session,
    posted,
    runs,
    asked,
    looks,
    questions,
    measured,
    applied,
    kept,
    keptRuns,
    revealed,
    saved,
    copied,
    refreshed,
    settled,
    come,
    elapse,
    lastStatus,
    others,
  };
}

describe('[ED-5] the session behind the report panel', () => {
  it('says nothing before the page is ready, then the scenario first', async () => {
    const { session, posted, runs, settled } = start();
    runs[0]!.answer(sampleReport());
    await settled();
    assert.deepEqual(posted, []);
    session.receive({ type: 'ready' });
    assert.deepEqual(
      posted.map(({ type }) => type),
      ['scenario', 'report', 'status'],
    );
  });

  it('drops what is not a message', () => {
    const { session, posted, saved, copied, refreshed } = start();
    for (const raw of [null, 7, 'ready', {}, { type: 'export', format: 'exe' }, { type: 'copy' }, { type: 'reveal' }]) {
      session.receive(raw);
    }
    assert.deepEqual([posted, saved, copied, refreshed], [[], [], [], []]);
  });

  it('offers to take the snapshot again when the page asks for it', () => {
    const { session, refreshed } = start();
    session.receive({ type: 'command', command: 'refreshSnapshot' });
    session.receive({ type: 'command', command: 'workbench.action.terminal.new' });
    assert.deepEqual(refreshed, ['refreshSnapshot']);
  });

  it('takes only the answer of the last run', async () => {
    const { session, posted, runs, settled } = start();
    session.receive({ type: 'ready' });
    session.receive({ type: 'runAgain' });
    assert.equal(runs[0]!.signal.aborted, true);
    runs[0]!.answer(bigReport(3, 3));
    runs[1]!.answer(sampleReport());
    await settled();
    assert.deepEqual(
      reportsIn(posted).map(({ nodes }) => nodes.length),
      [4],
    );
  });

  it('says at once that it is out of date, and follows once after a pause', async () => {
    const { session, runs, settled, elapse, lastStatus } = start();
    session.receive({ type: 'ready' });
    runs[0]!.answer(sampleReport());
    await settled();
    session.modelChanged();
    session.modelChanged();
    assert.deepEqual(lastStatus(), { type: 'status', running: false, outdated: true, failure: '' });
    assert.equal(runs.length, 1);
    elapse();
    assert.equal(runs.length, 2);
    assert.deepEqual(lastStatus(), { type: 'status', running: true, outdated: false, failure: '' });
  });

  it('computes nothing for a hidden page, and catches up when it is shown', () => {
    const { session, posted, runs, elapse } = start();
    session.receive({ type: 'ready' });
    session.setVisible(false);
    const before = posted.length;
    session.modelChanged();
    elapse();
    assert.equal(runs.length, 1);
    assert.equal(posted.length, before);
    session.setVisible(true);
    elapse();
    assert.equal(runs.length, 2);
  });

  it('keeps the last report when a run fails, and says why', async () => {
    const { session, runs, settled, lastStatus } = start();
    session.receive({ type: 'ready' });
    runs[0]!.fail(new Error('the server is gone'));
    await settled();
    assert.deepEqual(lastStatus(), { type: 'status', running: false, outdated: false, failure: 'the server is gone' });
  });

  it('runs without a snapshot that cannot be used only when it is told to, and leads to what is wrong with it', async () => {
    const { session, runs, revealed, settled, lastStatus, elapse } = start();
    session.receive({ type: 'ready' });
    const place = origin('cluster.yaml', 811);
    runs[0]!.answer({ about: 'snapshot', doubt: 'The snapshot is not used.', origin: place });
    await settled();
    const doubt = { about: 'snapshot', text: 'The snapshot is not used.', origin: place };
    assert.deepEqual(lastStatus(), { type: 'status', running: false, outdated: false, failure: '', doubt });
    session.receive({ type: 'reveal', origin: place });
    assert.deepEqual(revealed, [place.uri]);
    // It may have been mended meanwhile.
    session.modelChanged();
    elapse();
    assert.deepEqual(
      runs.map(({ asks }) => asks),
      [
        ['large', 'snapshot'],
        ['large', 'snapshot'],
      ],
    );
    session.receive({ type: 'goOn', about: 'snapshot' });
    assert.deepEqual(runs.at(-1)!.asks, ['large']);
    runs.at(-1)!.answer(sampleReport());
    await settled();
    assert.deepEqual(lastStatus(), { type: 'status', running: false, outdated: false, failure: '' });
    // Another question is asked about afresh.
    session.open({ kind: 'workspace' });
    assert.deepEqual(runs.at(-1)!.asks, ['large', 'snapshot']);
    session.open({ kind: 'workspace' }, [], 'snapshot');
    assert.deepEqual(runs.at(-1)!.asks, ['large']);
  });

  it('asks before a run that takes long, does not follow edits meanwhile, and keeps what it shows when told not to', async () => {
    const { session, runs, settled, lastStatus, elapse } = start();
    session.receive({ type: 'ready' });
    runs[0]!.answer({ about: 'large', doubt: '6,000 nodes: a run takes about 3 min.', origin: null });
    await settled();
    session.modelChanged();
    elapse();
    assert.equal(runs.length, 1);
    session.receive({ type: 'cancel' });
    assert.deepEqual(lastStatus(), { type: 'status', running: false, outdated: true, failure: '', stopped: true });
    session.receive({ type: 'runAgain' });
    runs[1]!.answer({ about: 'large', doubt: '6,000 nodes: a run takes about 3 min.', origin: null });
    await settled();
    session.receive({ type: 'goOn', about: 'large' });
    assert.deepEqual(runs[2]!.asks, ['snapshot']);
  });

  it('reveals only files that the report came from', async () => {
    const { session, runs, revealed, settled } = start();
    runs[0]!.answer(sampleReport());
    await settled();
    session.receive({ type: 'reveal', origin: origin('checkout.yaml', 3) });
    session.receive({ type: 'reveal', origin: { ...origin('x', 0), uri: 'file:///etc/passwd' } });
    assert.deepEqual(revealed, ['file:///shop/checkout.yaml']);
  });

  it('asks how much room is left, again where a run came between, and exports what it was told', async () => {
    const { session, posted, runs, measured, questions, saved, settled, come } = start();
    session.receive({ type: 'ready' });
    runs[0]!.answer(sampleReport());
    await settled();
    session.receive({ type: 'capacity', workloads: [2, 'x'] });
    assert.equal(measured.length, 0);
    session.receive({ type: 'capacity', workloads: [2] });
    assert.deepEqual([measured[0]!.run, measured[0]!.workloads], [1, [2]]);
    // A run comes first. It was stopped: the report is the same, and so is the question.
    session.receive({ type: 'runAgain' });
    assert.ok(measured[0]!.signal.aborted);
    measured[0]!.fail(new Error('cancelled'));
    session.receive({ type: 'cancel' });
    assert.deepEqual([measured.length, measured[1]!.run, measured[1]!.workloads], [2, 1, [2]]);
    const size = { count: 1, isExact: true };
    const row: Capacity = {
      workload: 2,
      refusal: '',
      free: size,
      withinBudgets: size,
      evicting: size,
      nodes: [],
      moreNodes: 0,
      runsOut: 'cpu',
      message: '',
      evicts: null,
      gates: [],
      sharesClaims: false,
    };
    measured[1]!.answer([row]);
    await settled();
    const answers = posted.filter(({ type }) => type === 'capacity');
    assert.deepEqual(answers, [{ type: 'capacity', workloads: [2], rows: [row], failure: '' }]);
    assert.ok(hostMessageSchema.safeParse(answers[0]).success);
    session.receive({ type: 'export', format: 'json' });
    await come(questions, 1);
    questions[0]!.answer(sampleReport().decisions);
    await settled();
    assert.deepEqual((JSON.parse(saved[0]!.text) as Report).capacity, [row]);
    // Of another report nothing is known.
    session.receive({ type: 'runAgain' });
    runs.at(-1)!.answer(sampleReport());
    await settled();
    session.receive({ type: 'export', format: 'json' });
    await come(questions, 2);
    questions[1]!.answer(sampleReport().decisions);
    await settled();
    assert.equal((JSON.parse(saved[1]!.text) as Report).capacity, null);
    session.receive({ type: 'capacity', workloads: [1] });
    measured[2]!.fail(new Error('It is not known any more.'));
    await settled();
    assert.deepEqual(posted.at(-1), {
      type: 'capacity',
      workloads: [1],
      rows: [],
      failure: 'It is not known any more.',
    });
  });

  it('exports JSON that reads back, Markdown, and the picture of the page', async () => {
    const { session, runs, questions, saved, copied, settled, lastStatus, come } = start();
    session.receive({ type: 'ready' });
    session.receive({ type: 'export', format: 'json' });
    assert.equal(questions.length, 0);
    runs[0]!.answer(atAGlance(sampleReport()));
    await settled();
    session.receive({ type: 'export', format: 'json' });
    await come(questions, 1);
    assert.deepEqual([questions[0]!.run, questions[0]!.indexes], [1, null]);
    questions[0]!.answer(sampleReport().decisions);
    await settled();
    session.receive({ type: 'export', format: 'markdown' });
    await come(saved, 2);
    session.receive({ type: 'exportPicture', png: 'not Base64' });
    session.receive({ type: 'exportPicture', png: btoa('picture') });
    session.receive({ type: 'export', format: 'comment' });
    await come(copied, 1);
    assert.deepEqual(
      saved.map(({ extension }) => extension),
      ['json', 'md', 'png'],
    );
    assert.equal(saved[2]!.text, 'picture');
    assert.deepEqual(copied, [saved[1]!.text]);
    assert.deepEqual(JSON.parse(saved[0]!.text), sampleReport());
    session.receive({ type: 'export', format: 'json' });
    await come(questions, 2);
    questions[1]!.fail(new Error('The run is not known any more.'));
    await settled();
    const status = lastStatus();
    assert.deepEqual(
      [saved.length, status?.type === 'status' && status.failure],
      [3, 'The run is not known any more.'],
    );
    assert.match(saved[1]!.text, /^### checkout evicts report, train and thumb and breaks 1 budget/);
  });

  it('exports a page of its own, with what would help and the whole of its decisions', async () => {
    const { session, runs, looks, questions, saved, settled, come } = start();
    session.receive({ type: 'ready' });
    runs[0]!.answer(atAGlance(sampleReport()));
    await settled();
    looks[0]!.answer([]);
    await settled();
    session.receive({ type: 'export', format: 'html' });
    await come(questions, 1);
    questions[0]!.answer(sampleReport().decisions);
    await come(saved, 1);
    assert.equal(saved[0]!.extension, 'html');
    const [, data = ''] = /<script type="text\/plain" id="podium-report">(.*)<\/script>/.exec(saved[0]!.text) ?? [];
    const { decisions, remedies } = JSON.parse(await decompressed(data)) as Report;
    assert.deepEqual([decisions, remedies], [sampleReport().decisions, []]);
  });

  it('asks for the whole of a decision that somebody looks at, of the run that the page shows', async () => {
    const { session, posted, runs, questions, settled } = start();
    const told = () => posted.filter(({ type }) => type === 'explained');
    session.receive({ type: 'ready' });
    session.receive({ type: 'explain', index: 0 });
    await settled();
    assert.deepEqual(told(), [], 'there is no report yet');
    runs[0]!.answer(atAGlance(sampleReport()));
    await settled();
    for (const index of [0, 2, 5]) session.receive({ type: 'explain', index });
    const [first, second, third] = questions.slice(-3);
    assert.deepEqual([first!.run, first!.indexes, second!.indexes], [1, [0], [2]]);
    const [decision] = sampleReport().decisions;
    first!.answer([decision!]);
    second!.fail(new Error('The run is not known any more.'));
    await settled();
    assert.deepEqual(told(), [
      { type: 'explained', index: 0, decision, failure: '' },
      { type: 'explained', index: 2, decision: null, failure: 'The run is not known any more.' },
    ]);
    session.receive({ type: 'runAgain' });
    runs[1]!.answer(atAGlance(sampleReport()));
    await settled();
    third!.answer([decision!]);
    await settled();
    assert.equal(told().length, 2, 'a later report has other decisions');
    session.receive({ type: 'explain', index: 5 });
    assert.equal(questions.at(-1)!.run, 2);
  });

  it('aborts its run when it is closed', () => {
    const { session, runs } = start();
    session.dispose();
    assert.equal(runs[0]!.signal.aborted, true);
  });
});

describe('[ED-5] the check of a report that the extension sends to its page', () => {
  /** What of a message reaches the page. */
  function received(report: unknown): Promise<readonly HostMessage[]> {
    return new Promise((resolve) => {
      const passed: HostMessage[] = [];
      const inbox = new Inbox((message) => {
        passed.push(message);
        if (message.type === 'status') resolve(passed);
      });
      const parsed = hostMessageSchema.safeParse(structuredClone({ type: 'report', report }));
      if (parsed.success) inbox.receive(parsed.data);
      inbox.receive({ type: 'status', running: false, outdated: false, failure: '' });
    });
  }

  it('accepts reports and keeps all of them', async () => {
    for (const report of [bigReport(20, 60), atAGlance(bigReport(300, 6000))]) {
      const [message] = await received(report);
      assert.deepEqual(message, { type: 'report', report });
    }
  });

  it('refuses what is not a report', async () => {
    const report = sampleReport();
    for (const bad of [
      null,
      {},
      { ...report, version: 1 },
      { ...report, pods: [{ ...report.pods[0], rung: -1 }] },
      { ...report, steps: [{ ...report.steps[0], kind: 'exploded' }] },
      { ...report, nodes: [{ ...report.nodes[0], allocatable: { cpu: '4' } }] },
    ]) {
      assert.deepEqual(
        (await received(bad)).map(({ type }) => type),
        ['status'],
      );
    }
  });
});

describe('[ED-5] the report as Markdown', () => {
  it('lists victims, steps, what stays pending and what is assumed', () => {
    const text = reportMarkdown(sampleReport());
    assert.match(text, /^### checkout evicts /);
    assert.match(text, /\| − \| `train` \| \d of \d \|/);
    assert.match(text, /`batch\/train-4`\n\n```text\n0\/4 nodes are available/);
    assert.match(text, /- `\?` running pods placed by simulation/);
  });

  it('lists what a change does', () => {
    const text = reportMarkdown({
      ...sampleReport(),
      scenario: { kind: 'change', since: 'git HEAD' },
      comparison: sampleComparison(),
    });
    assert.match(text, /^\*\*After it: 4 evicted \(\+1\), 1 pending \(=\)\.\*\*$/m);
    assert.match(text, /^- `Deployment shop\/checkout`: priority 1000 → 100000$/m);
    assert.match(text, /^\| {2}\| Workload \| git HEAD \| now \|$/m);
    assert.match(
      text,
      /\| `batch\/train-1` \| evicted \| runs on node-b \| evicted from node-b for shop\/checkout-1 \|/,
    );
  });

  it('keeps names and messages text', () => {
    const report = sampleReport();
    const hostile = {
      ...report,
      pods: report.pods.map((pod) => ({ ...pod, name: '<img src=x onerror=alert(1)>|[a](b)' })),
      decisions: report.decisions.map((decision) => ({ ...decision, message: '```\n# not a heading' })),
    };
    const text = reportMarkdown(hostile);
    assert.ok(!text.includes('<img'));
    assert.ok(text.includes('&lt;img') || !text.includes('onerror=alert(1)>'));
    assert.match(text, /^````text$/m);
    assert.ok(!text.includes('[a](b)'));
  });
});

describe('[ED-5] the shell of the page', () => {
  it('forbids everything but its own script and style sheet', () => {
    const html = reportHtml({ nonce: 'abc', cspSource: 'vscode-webview:', scriptUri: 'main.js', styleUri: 'main.css' });
    assert.match(
      html,
      /content="default-src 'none'; script-src 'nonce-abc'; style-src vscode-webview:; img-src blob:; base-uri 'none'; form-action 'none'"/,
    );
    assert.ok(!html.includes('unsafe'));
    assert.equal(html.match(/<script/g)?.length, 1);
  });
});

describe('[ED-5] the session that tries operations', () => {
  const effect = { whatIf: 'cordon node/a', label: 'cordon a', figures: null, effect: 'no effect', problem: '' };

  async function shown() {
    const started = start();
    started.session.receive({ type: 'ready' });
    started.runs[0]!.answer(sampleReport());
    await started.settled();
    return started;
  }

  it('asks what would help once the report is shown, and passes it on', async () => {
    const { posted, looks, settled } = await shown();
    assert.equal(looks.length, 1);
    const remedy = { group: 'evicted', line: null, whatIf: [], label: '', figures: null, effect: 'nothing' } as const;
    looks[0]!.answer([remedy]);
    await settled();
    assert.deepEqual(posted.at(-1), { type: 'remedies', remedies: [remedy] });
    for (const message of posted) assert.ok(hostMessageSchema.safeParse(message).success, message.type);
  });

  it('compares with the commit, with the run before, and with nothing again', async () => {
    const { session, posted, runs, settled, lastStatus } = await shown();
    const told = (): unknown => {
      const status = lastStatus();
      return status?.type === 'status' ? [status.previous, status.against?.with] : undefined;
    };
    // There is no run before the first.
    assert.deepEqual(told(), [undefined, undefined]);
    assert.equal(session.hasPrevious, false);
    session.receive({ type: 'runAgain' });
    runs.at(-1)!.answer(sampleReport());
    await settled();
    assert.deepEqual(told(), [true, undefined]);
    assert.equal(session.hasPrevious, true);
    session.receive({ type: 'compare', with: 'previous' });
    await settled();
    assert.deepEqual([runs.at(-1)!.against, told()], [{ kind: 'previous' }, [true, 'previous']]);
    runs.at(-1)!.answer(sampleReport());
    await settled();
    // It follows edits, and is compared all the same.
    session.receive({ type: 'runAgain' });
    assert.deepEqual(runs.at(-1)!.against, { kind: 'previous' });
    runs.at(-1)!.fail(new Error('There is no run before this one to compare with.'));
    await settled();
    assert.deepEqual(told(), [true, undefined]);
    session.receive({ type: 'compare', with: 'commit' });
    assert.deepEqual(
      posted.findLast(({ type }) => type === 'scenario'),
      { type: 'scenario', scenario: { kind: 'change' } },
    );
    assert.deepEqual([runs.at(-1)!.against, told()], [undefined, [undefined, undefined]]);
    session.receive({ type: 'compare', with: 'nothing' });
    assert.deepEqual(
      posted.findLast(({ type }) => type === 'scenario'),
      { type: 'scenario', scenario: { kind: 'workspace' } },
    );
    for (const message of posted) assert.ok(hostMessageSchema.safeParse(message).success, message.type);
  });

  it('keeps the report of the run that it compares with, for when the window comes back', async () => {
    const { session, runs, keptRuns, settled, lastStatus, elapse } = await shown();
    const first = runs.at(-1)!;
    session.receive({ type: 'runAgain' });
    runs.at(-1)!.answer({ ...sampleReport(), kubernetes: '1.35' });
    await settled();
    session.modelChanged();
    elapse();
    runs.at(-1)!.answer({ ...sampleReport(), kubernetes: '1.36' });
    await settled();
    session.receive({ type: 'compare', with: 'previous' });
    await settled();
    // The same text again was the same run.
    assert.deepEqual(
      keptRuns.map((report) => report?.kubernetes),
      ['1.35'],
    );
    const against: Against = { kind: 'previous', kept: 'file:///storage/previous-run.json' };
    assert.deepEqual([runs.at(-1)!.against, first.against], [against, undefined]);
    const status = lastStatus();
    assert.ok(status?.type === 'status' && status.against !== undefined);
    const restored = start({ operations: ['cordon node/a'], against: status.against });
    assert.deepEqual([restored.runs[0]!.against, restored.runs[0]!.operations], [against, ['cordon node/a']]);
  });

  it('asks another question of what is tried: a workload of the report, its file, and everything again', async () => {
    const { session, runs, posted, settled } = await shown();
    session.receive({ type: 'tryOut', operations: ['cordon node/a'] });
    const report = sampleReport();
    const { kind: workloadKind, namespace, name, origin } = report.workloads[0]!;
    const { uri } = origin!;
    const questions: readonly (readonly [unknown, ScenarioRequest])[] = [
      [
        { about: 'workload', workload: 0 },
        { kind: 'workload', workloadKind, namespace, name, uri },
      ],
      [
        { about: 'file', workload: 0 },
        { kind: 'file', uri },
      ],
      [{ about: 'workspace' }, { kind: 'workspace' }],
    ];
    for (const [asked, scenario] of questions) {
      runs.at(-1)!.answer(report);
      await settled();
      session.receive({ type: 'ask', ...(asked as object) });
      await settled();
      assert.deepEqual([runs.at(-1)!.scenario, runs.at(-1)!.operations], [scenario, ['cordon node/a']]);
      assert.ok(posted.some((message) => message.type === 'scenario' && message.scenario.kind === scenario.kind));
    }
    // The page can ask about nothing that the report has not.
    const begun = runs.length;
    session.receive({ type: 'ask', about: 'workload', workload: 1e6 });
    session.receive({ type: 'ask', about: 'file' });
    await settled();
    assert.equal(runs.length, begun);
  });

  it('compares with what the user chooses: a branch, a commit, a saved report, a kept scenario', async () => {
    const { session, posted, runs, settled, lastStatus, others } = await shown();
    const begun = runs.length;
    session.receive({ type: 'compare', with: 'branch' });
    await settled();
    // Nothing is chosen: everything stays as it is.
    assert.equal(runs.length, begun);
    others.set('branch', { commit: 'release/1.2' });
    session.receive({ type: 'compare', with: 'branch' });
    await settled();
    assert.deepEqual(runs.at(-1)!.scenario, { kind: 'change', commit: 'release/1.2' });
    runs.at(-1)!.answer({ ...sampleReport(), scenario: { kind: 'change', since: 'git release/1.2' } });
    await settled();
    // Git does not know it: what was shown before is shown again, with the reason.
    others.set('any-commit', { commit: 'nowhere' });
    session.receive({ type: 'compare', with: 'any-commit' });
    await settled();
    posted.length = 0;
    runs.at(-1)!.fail(new Error('No such commit: nowhere. There is nothing to compare with.'));
    await settled();
    assert.deepEqual(
      posted.map(({ type }) => type),
      ['scenario', 'report', 'status'],
    );
    assert.deepEqual(posted[0], { type: 'scenario', scenario: { kind: 'change', commit: 'release/1.2' } });
    const status = lastStatus();
    assert.equal(
      status?.type === 'status' && status.failure,
      'No such commit: nowhere. There is nothing to compare with.',
    );
    const choices: readonly (readonly ['report' | 'kept', Against])[] = [
      ['report', { kind: 'file', uri: 'file:///monday.json' }],
      ['kept', { kind: 'kept', name: 'night', operations: ['cordon node/a'] }],
    ];
    for (const [kind, against] of choices) {
      others.set(kind, { against, name: kind });
      session.receive({ type: 'compare', with: kind });
      await settled();
      assert.deepEqual([runs.at(-1)!.scenario, runs.at(-1)!.against], [{ kind: 'workspace' }, against]);
      const now = lastStatus();
      assert.deepEqual(now?.type === 'status' && now.against, { with: kind, name: kind, against });
    }
    session.open({ kind: 'workspace' });
    assert.equal(runs.at(-1)!.against, undefined);
    for (const message of posted) assert.ok(hostMessageSchema.safeParse(message).success, message.type);
  });

  it('says what operations do before the whole report is there, and gives up what is not asked for any more', async () => {
    const { session, posted, runs, asked, looks, settled } = await shown();
    session.receive({ type: 'tryOut', operations: ['cordon node/a'] });
    assert.ok(looks[0]!.signal.aborted);
    assert.deepEqual(runs[1]!.operations, ['cordon node/a']);
    const part = { ...effect, figures: null, effect: '1 evicted so far, 20 %' };
    session.effects({ run: 1, effects: [effect] });
    session.effects({ run: 2, effects: [part] });
    assert.deepEqual(posted.at(-1), { type: 'whatIf', operations: ['cordon node/a'], effects: [part] });
    asked[0]!.answer([effect]);
    await settled();
    assert.deepEqual(posted.at(-1), { type: 'whatIf', operations: ['cordon node/a'], effects: [effect] });
    // What comes late of it is no news any more.
    session.effects({ run: 2, effects: [{ ...effect, figures: null, effect: '1 evicted so far, 20 %' }] });
    assert.deepEqual(posted.at(-1), { type: 'whatIf', operations: ['cordon node/a'], effects: [effect] });
    session.receive({ type: 'tryOut', operations: [] });
    assert.ok(runs[1]!.signal.aborted);
    assert.deepEqual(runs[2]!.operations, []);
    runs[1]!.answer({ ...sampleReport(), kubernetes: '1.36' });
    runs[2]!.answer(sampleReport());
    await settled();
    assert.equal(reportsIn(posted).at(-1)?.kubernetes, '1.34');
  });

  it('keeps them over a reload of the page, and begins anew with another question', async () => {
    const { session, posted } = await shown();
    session.receive({ type: 'tryOut', operations: ['cordon node/a'] });
    posted.length = 0;
    session.receive({ type: 'ready' });
    assert.ok(posted.some((message) => message.type === 'whatIf' && message.operations.length === 1));
    session.open({ kind: 'change' });
    assert.deepEqual(
      posted.findLast(({ type }) => type === 'whatIf'),
      { type: 'whatIf', operations: [], effects: [] },
    );
  });

  it('applies, keeps and takes up what was kept', async () => {
    const { session, applied, kept, runs, settled } = await shown();
    session.receive({ type: 'apply', operation: 'cordon node/a' });
    session.receive({ type: 'keepWhatIf' });
    session.receive({ type: 'tryOut', operations: ['cordon node/a'] });
    session.receive({ type: 'keepWhatIf' });
    session.receive({ type: 'openWhatIf' });
    await settled();
    assert.deepEqual([applied, kept], [['cordon node/a'], [['cordon node/a']]]);
    assert.deepEqual(runs.at(-1)?.operations, ['cordon node/kept']);
  });

  it('tells what is being done, and stops when it is told to', async () => {
    const { session, runs, lastStatus } = await shown();
    session.receive({ type: 'runAgain' });
    session.progress({ text: 'Deciding · 12 of 34 pods', soFar });
    assert.deepEqual(lastStatus(), {
      type: 'status',
      running: true,
      outdated: false,
      failure: '',
      progress: 'Deciding · 12 of 34 pods',
      soFar,
    });
    assert.ok(hostMessageSchema.safeParse(lastStatus()).success);
    session.receive({ type: 'cancel' });
    assert.ok(runs.at(-1)!.signal.aborted);
    const status = lastStatus();
    assert.deepEqual(status, {
      type: 'status',
      running: false,
      outdated: false,
      failure: '',
      progress: 'Deciding · 12 of 34 pods',
      soFar,
      stopped: true,
    });
    session.progress({ text: 'late' });
    assert.deepEqual(lastStatus(), status);
    // What was decided belongs to that run alone.
    session.receive({ type: 'runAgain' });
    assert.deepEqual(lastStatus(), { type: 'status', running: true, outdated: false, failure: '' });
  });
});
