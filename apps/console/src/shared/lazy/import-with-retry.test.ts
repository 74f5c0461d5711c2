import { expect, test } from 'vitest'
import { importWithRetry } from './import-with-retry.ts'

const failure = new TypeError('Failed to fetch dynamically imported module: http://here.test/assets/a-1.js')

test('a failed file is loaded again with a new address each time', async () => {
  const requested: string[] = []
  const load = () => Promise.reject<string>(failure)
  const importFrom = async (address: string) => {
    requested.push(address)
    return 'module'
  }
  expect(await importWithRetry(load, importFrom)).toBe('module')
  await importWithRetry(load, importFrom)
  for (const address of requested)
    expect(address).toMatch(/^http:\/\/here\.test\/assets\/a-1\.js\?again=\d+$/)
  expect(new Set(requested).size).toBe(2)
})

test('the last failure is thrown, unchanged if it names no file', async () => {
  const gone = new Error('still gone')
  await expect(
    importWithRetry(
      () => Promise.reject(failure),
      () => Promise.reject(gone),
    ),
  ).rejects.toBe(gone)
  const other = new Error('Importing a module script failed.')
  await expect(importWithRetry(() => Promise.reject(other))).rejects.toBe(other)
})

test('a successful file is loaded once', async () => {
  expect(
    await importWithRetry(
      async () => 'module',
      () => Promise.reject(new Error('never requested')),
    ),
  ).toBe('module')
})
