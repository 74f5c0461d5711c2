import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { findScratchRoot, makeScratchFolder } from './scratch-folder.ts'

let root: string
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'scratch-root-'))
})
afterEach(() => vi.unstubAllEnvs())
afterAll(() => rmSync(root, { recursive: true }))

test('the folder in TMPDIR is used', () => {
  vi.stubEnv('TMPDIR', root)
  expect(findScratchRoot()).toBe(root)
})

test('written files can be read again', () => {
  const folder = makeScratchFolder('scratch-test-')
  writeFileSync(join(folder, 'a'), 'b')
  expect(existsSync(join(folder, 'a'))).toBe(true)
  rmSync(folder, { recursive: true })
})

test('folders of ended processes are removed, other folders and those of running processes stay', () => {
  const { pid } = spawnSync(process.execPath, ['-e', '0'])
  const stays = ['other-1-a', `scratch-${process.pid}-a`, 'scratch-a', 'scratch-0-a', `scratch-more-${pid}-a`]
  const names = [...stays, `scratch-${pid}-a`]
  for (const name of names) mkdirSync(join(root, name, 'inside'), { recursive: true })
  const folder = makeScratchFolder('scratch-', root)
  expect(existsSync(folder)).toBe(true)
  expect(names.filter((name) => existsSync(join(root, name)))).toEqual(stays)
})
