import * as vscode from 'vscode';
import { list } from '../../../server/src/util/words.ts';
import type { ClusterStatus } from '../../../server/src/protocol.ts';
import { count } from '../texts.ts';

type Place = ClusterStatus['nodePlaces'][number];

/** Where it is kept which places were asked about. */
const key = 'podium.nodePlaces';

/** More places than this are counted in the question. */
const namesInQuestion = 4;

/**
 * Asks once which of the places that declare Nodes are the cluster. Files of the others go into `podium.exclude` of the
 * workspace, so that a team can commit the answer; again it is asked when there is a further place.
 */
export async function chooseNodes(places: readonly Place[], kept: vscode.Memento): Promise<void> {
  const asked = new Set(kept.get<readonly string[]>(key, []));
  if (places.every(({ folder }) => asked.has(folder))) return;
  // Before the answer: the status is sent again meanwhile.
  await kept.update(key, [...new Set([...asked, ...places.map(({ folder }) => folder)])]);
  const choose = vscode.l10n.t('Choose…');
  const named = list(
    places.map(({ folder, nodes }) => `${folder} (${count.nodes(nodes)})`),
    namesInQuestion,
  );
  const answer = await vscode.window.showInformationMessage(
    vscode.l10n.t('Nodes come from {0} places: {1}. Podium takes all of them for one cluster.', places.length, named),
    choose,
    vscode.l10n.t('They Are One Cluster'),
  );
  if (answer !== choose) return;
  const picked = await vscode.window.showQuickPick(
    places.map((place) => ({ label: place.folder, description: count.nodes(place.nodes), picked: true, place })),
    {
      title: vscode.l10n.t('Nodes of the Cluster'),
      placeHolder: vscode.l10n.t('Files of the others are written into podium.exclude'),
      canPickMany: true,
      ignoreFocusOut: true,
    },
  );
  if (picked === undefined) return;
  const left = places.filter((place) => !picked.some((item) => item.place === place)).flatMap(({ globs }) => globs);
  if (left.length === 0) return;
  const settings = vscode.workspace.getConfiguration('podium');
  const excluded = new Set([...settings.get<readonly string[]>('exclude', []), ...left]);
  await settings.update('exclude', [...excluded], vscode.ConfigurationTarget.Workspace);
}
