import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { oneByOne } from './one-by-one.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'isotherm-one-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const onLinux = test.skipIf(process.platform !== 'linux')

onLinux('calls for one folder never overlap, and each returns its result', async () => {
  let running = 0
  const work = async (index: number) => {
    running += 1
    expect(running).toBe(1)
    await new Promise((resolve) => setTimeout(resolve, 5))
    running -= 1
    return index
  }
  const results = await Promise.all([1, 2, 3, 4].map((index) => oneByOne(folder, () => work(index))))
  expect(results).toEqual([1, 2, 3, 4])
})

onLinux('after a failed call the next one runs', async () => {
  await expect(oneByOne(folder, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
  expect(await oneByOne(folder, async () => 'done')).toBe('done')
})

onLinux('a wait ends when it is aborted', async () => {
  const begun = Promise.withResolvers<void>()
  const { promise, resolve } = Promise.withResolvers<void>()
  const first = oneByOne(folder, () => {
    begun.resolve()
    return promise
  })
  await begun.promise
  const abort = new AbortController()
  const second = oneByOne(folder, async () => 'done', abort.signal)
  abort.abort()
  await expect(second).rejects.toThrow()
  resolve()
  await first
})

onLinux('after a thread that ends during its call the next one runs', async () => {
  const program = `
    import(${JSON.stringify(join(import.meta.dirname, 'one-by-one.ts'))}).then(({ oneByOne }) =>
      oneByOne(${JSON.stringify(folder)}, () => {
        require('node:worker_threads').parentPort.postMessage('in')
        return new Promise(() => setInterval(() => undefined, 1000))
      }))`
  const worker = new Worker(program, { eval: true })
  await once(worker, 'message')
  const next = oneByOne(folder, async () => 'done')
  await worker.terminate()
  expect(await next).toBe('done')
})
