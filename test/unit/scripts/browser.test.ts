import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { findBrowser, installFromDebian } from '../../../scripts/browser.mjs';

describe('findBrowser', () => {
  const { CHROME_PATH, PATH } = process.env;

  afterEach(() => {
    restore('CHROME_PATH', CHROME_PATH);
    restore('PATH', PATH);
  });

  it('prefers CHROME_PATH', () => {
    process.env['CHROME_PATH'] = process.execPath;
    assert.equal(findBrowser(), process.execPath);
  });

  it('takes no other when CHROME_PATH names a file that is not there', () => {
    process.env['CHROME_PATH'] = '/no/such/browser';
    assert.equal(findBrowser(), null);
  });

  if (process.platform === 'linux') {
    it('prefers the engine without a window to a whole browser', () => {
      delete process.env['CHROME_PATH'];
      const folders = ['chromium', 'chromium-headless-shell'].map((name) => {
        const folder = mkdtempSync(join(tmpdir(), 'podium-browser-'));
        writeFileSync(join(folder, name), '', { mode: 0o755 });
        return folder;
      });
      process.env['PATH'] = folders.join(delimiter);
      assert.equal(findBrowser(), join(folders[1]!, 'chromium-headless-shell'));
      for (const folder of folders) rmSync(folder, { recursive: true });
    });

    it('finds nothing where nothing is installed', () => {
      delete process.env['CHROME_PATH'];
      process.env['PATH'] = '/nowhere';
      assert.equal(findBrowser(), null);
    });
  }
});

if (process.platform !== 'win32') {
  describe('installFromDebian', () => {
    const { PATH } = process.env;
    let folder: string;

    beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'podium-apt-'))));
    afterEach(() => {
      process.env['PATH'] = PATH;
      rmSync(folder, { recursive: true });
    });

    it('waits for the lock that an install before it holds, asked for at the same time', async () => {
      // Like apt-get, which ends where another holds its lock.
      const apt = ['#!/bin/sh', `mkdir "${folder}/lock" || exit 100`, 'ls / >/dev/null', `rmdir "${folder}/lock"`];
      writeFileSync(join(folder, 'apt-get'), apt.join('\n'), { mode: 0o755 });
      process.env['PATH'] = `${folder}${delimiter}${PATH}`;
      const names = ['neovim', 'chromium-headless-shell', 'chromium'];
      const installed = await Promise.all(names.map((name) => installFromDebian(name, 'a test', true)));
      assert.deepEqual(installed, [true, true, true]);
    });
  });
}

function restore(name: string, value: string | undefined): void {
  if (value === undefined) Reflect.deleteProperty(process.env, name);
  else process.env[name] = value;
}
