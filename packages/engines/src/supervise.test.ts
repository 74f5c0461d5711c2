import { spawn } from 'node:child_process'
import { MINUTE_MS } from '@isotherm/kernel/durations'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { exitOf, isAlive, signal, waitForExit } from './process-life.ts'
import { defaultRestartPolicy, planRestart, supervise } from './supervise.ts'

const startProcess = async (script: string) => {
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] })
  const exited = exitOf(child)
  await new Promise((resolve) => child.stdout.once('data', resolve).once('close', resolve))
  const pid = child.pid ?? 0
  return {
    pid,
    exited,
    async stop() {
      signal(pid, 'SIGTERM')
      await exited
    },
  }
}
const living = 'console.log("up"); setInterval(() => {}, 1000)'
const policy = { firstDelayMs: 1, maxDelayMs: 5, windowMs: MINUTE_MS, maxExits: 4 }

test('the delay doubles with each exit in the window, up to a limit', () => {
  const delays = [[0], [0, 10], [0, 10, 20], [0, 10, 20, 90_000]].map((ends) =>
    planRestart(defaultRestartPolicy, ends),
  )
  expect(delays).toEqual([100, 200, 400, 100].map((delayMs) => ({ kind: 'restart', delayMs })))
})

test('a restart is never planned in the past or beyond the longest delay', () => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 200_000 }), { minLength: 1 }), (gaps) => {
      let at = 0
      const plan = planRestart(
        defaultRestartPolicy,
        gaps.map((gap) => {
          at += gap
          return at
        }),
      )
      if (plan.kind === 'restart') {
        expect(plan.delayMs).toBeGreaterThanOrEqual(defaultRestartPolicy.firstDelayMs)
        expect(plan.delayMs).toBeLessThanOrEqual(defaultRestartPolicy.maxDelayMs)
      }
    }),
  )
})

test('a killed process is restarted, and stop ends it finally', async () => {
  const first = await startProcess(living)
  const exits: string[] = []
  const restarted = Promise.withResolvers<void>()
  const supervised = supervise({
    name: 'engine',
    first,
    start: () => startProcess(living),
    policy,
    onExit: (_, reason) => exits.push(reason),
    onRestart: () => restarted.resolve(),
    onGiveUp: restarted.reject,
  })
  signal(first.pid, 'SIGKILL')
  await restarted.promise
  const { pid } = supervised.current()
  expect(exits).toEqual(['killed'])
  expect(pid).not.toBe(first.pid)
  expect(isAlive(pid)).toBe(true)
  await supervised.stop()
  expect(await waitForExit(pid, 1_000)).toBe(true)
  expect(exits).toEqual(['killed'])
})

test('a process that always ends at once is given up, with its name and last reason', async () => {
  const givenUp = Promise.withResolvers<Error>()
  const start = () => startProcess('process.exit(7)')
  const supervised = supervise({
    name: 'engine',
    first: await start(),
    start,
    policy,
    onGiveUp: givenUp.resolve,
  })
  expect((await givenUp.promise).message).toBe('engine ended 4 times in a short time, last: exit code 7')
  await supervised.stop()
})

test('a failed start is retried and its reason reported', async () => {
  const reasons: string[] = []
  const restarted = Promise.withResolvers<void>()
  let tries = 0
  const supervised = supervise({
    name: 'engine',
    first: await startProcess('process.exit(0)'),
    start: async () => {
      tries += 1
      if (tries === 1) throw new Error('port 5 is taken')
      return startProcess(living)
    },
    policy,
    onExit: (_, reason) => reasons.push(reason),
    onRestart: () => restarted.resolve(),
    onGiveUp: restarted.reject,
  })
  await restarted.promise
  expect(reasons).toEqual(['exit code 0', 'port 5 is taken'])
  await supervised.stop()
})

test('exits while a start is of no use do not count, and it is started when that is over', async () => {
  const waits: string[] = []
  let obstacle: string | undefined
  let starts = 0
  const supervised = supervise({
    name: 'it',
    policy,
    first: await startProcess(living),
    findObstacle: async () => obstacle,
    onWait: (_, reason) => waits.push(reason),
    start: () => {
      starts += 1
      return startProcess(living)
    },
    onGiveUp: (error) => waits.push(error.message),
  })
  // More often than the policy allows.
  for (let count = 1; count <= policy.maxExits + 2; count += 1) {
    obstacle = 'the disk is full'
    signal(supervised.current().pid, 'SIGKILL')
    await expect.poll(() => waits.length).toBe(count)
    expect(starts).toBe(count - 1)
    obstacle = undefined
    await expect.poll(() => starts).toBe(count)
    await expect.poll(() => isAlive(supervised.current().pid)).toBe(true)
  }
  expect(new Set(waits)).toEqual(new Set(['the disk is full']))
  await supervised.stop()
})
