import { expect, test } from 'vitest'
import { importAgain } from './import-again.ts'

const failure = new TypeError('Failed to fetch dynamically imported module: http://here.test/assets/a-1.js')

test('a file that failed is asked for again under an address of its own, a new one each time', async () => {
  const asked: string[] = []
  const load = () => Promise.reject<string>(failure)
  const importFrom = async (address: string) => {
    asked.push(address)
    return 'module'
  }
  expect(await importAgain(load, importFrom)).toBe('module')
  await importAgain(load, importFrom)
  for (const address of asked) expect(address).toMatch(/^http:\/\/here\.test\/assets\/a-1\.js\?again=\d+$/)
  expect(new Set(asked).size).toBe(2)
})

test('the last failure is told, and one that names no file is told as it is', async () => {
  const gone = new Error('still gone')
  await expect(
    importAgain(
      () => Promise.reject(failure),
      () => Promise.reject(gone),
    ),
  ).rejects.toBe(gone)
  const other = new Error('Importing a module script failed.')
  await expect(importAgain(() => Promise.reject(other))).rejects.toBe(other)
})

test('what loads is asked for once', async () => {
  expect(
    await importAgain(
      async () => 'module',
      () => Promise.reject(new Error('never asked')),
    ),
  ).toBe('module')
})
