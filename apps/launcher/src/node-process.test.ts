/** Starts of real programs, with a clock that the tests advance. */
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { runNode, startNodeProcess } from './node-process.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'isotherm-start-'))
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
})
afterEach(() => {
  vi.useRealTimers()
  rmSync(folder, { recursive: true })
})

/** Prints the content of the files `0`, `1` … as soon as they exist. */
const PROGRAM = `
  const { readFileSync } = require('node:fs')
  let next = 0
  setInterval(() => {
    try { console.log(readFileSync(process.argv[1] + '/' + next, 'utf8')) } catch { return }
    next += 1
  }, 10)
`

function start() {
  const reported: string[] = []
  let printed = 0
  let onLine: () => void = () => undefined
  const started = startNodeProcess({
    name: 'the program',
    args: ['--eval', PROGRAM, folder],
    env: {},
    readyMark: 'READY',
    silentMs: 120_000,
    graceMs: 3_000,
    log: () => onLine(),
    report: (line) => reported.push(line),
    abort: new AbortController().signal,
  })
  started.catch(() => undefined)
  return {
    started,
    reported,
    /** The program prints a line, and this process has read it. */
    async print(line: string): Promise<void> {
      const read = new Promise<void>((resolve) => {
        onLine = resolve
      })
      writeFileSync(join(folder, 'new'), line)
      renameSync(join(folder, 'new'), join(folder, String(printed)))
      printed += 1
      if (!line.startsWith('READY')) await read
    },
  }
}

test('a start may take long while it prints something, and the terminal says so', async () => {
  const { started, reported, print } = start()
  await print('migrated the first table')
  vi.advanceTimersByTime(100_000)
  await print('migrated the second table')
  vi.advanceTimersByTime(100_000)
  await print('READY {"port":1}')
  const { ready, stop } = await started
  vi.useRealTimers()
  await stop()
  expect(ready).toEqual({ port: 1 })
  expect(reported.slice(0, 2)).toEqual([
    'the program is starting, 15 s so far',
    'the program is starting, 30 s so far',
  ])
  expect(reported).toHaveLength(13)
})

test('a start that prints nothing any more is ended, and the error has its last output', async () => {
  const { started, print } = start()
  await print('migrated the first table')
  vi.advanceTimersByTime(120_000)
  vi.useRealTimers()
  await expect(started).rejects.toThrow(
    'the program is not ready and has printed nothing for 120 s: migrated the first table',
  )
})

test('a program that fails is reported with what it printed last, without the stack', async () => {
  const args = ['--eval', "console.log('one'); throw new Error('the disk is full')"]
  const run = runNode({ name: 'the program', args, env: {}, abort: new AbortController().signal })
  await expect(run).rejects.toThrow(/^the program failed: one \| (.*\| )?Error: the disk is full/)
  await expect(run).rejects.not.toThrow(' at ')
})
