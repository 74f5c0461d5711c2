import { test } from 'vitest'
import { startKilledField } from './irrigation-killed.testkit.ts'

const TIMEOUT_MS = 600_000
const WAIT = { timeout: 200_000, interval: 100 }

// These tests wait for the water most of the time, so they wait together.
test.concurrent('a server that is killed at any moment of a rotation leaves a safe field, and the next one ends the run truly', {
  timeout: TIMEOUT_MS,
}, async ({ expect, onTestFinished }) => {
  const field = await startKilledField(onTestFinished)
  const [first, second, third] = field.groups
  const moments: readonly (() => Promise<void>)[] = [
    // The master valve is ordered and has not answered; a transaction that opens a group is not committed.
    () => field.killAt([field.master], true),
    () => field.killStoring('irrigation_step'),
    // A group is ordered to open, and to close.
    () => field.killAt(first, true),
    () => field.killAt(first, false),
    // The commands of the next group are being stored; a close is being stored.
    () => field.killStoring('command'),
    () => field.killAt(second, true),
    () => field.killStoring('irrigation_step'),
    () => field.killAt(third, true),
    () => field.killAt([field.master], false),
  ]
  for (const kill of moments) {
    await field.launch()
    await kill()
    expect(field.violations).toEqual([])
  }
  await field.launch()
  await expect.poll(field.readRun, WAIT).toMatchObject({ state: 'done', master: 'closed' })
  await expect.poll(field.listOpen, WAIT).toEqual([])
  expect(field.violations).toEqual([])
  const { steps } = await field.readRun()
  expect(steps.map(({ state }) => state)).toEqual(['closed', 'closed', 'closed'])
  for (const { openedMs, closedMs } of steps)
    expect(closedMs ?? 0).toBeGreaterThanOrEqual(openedMs ?? Number.POSITIVE_INFINITY)
  // One order for each opening of a step, whatever was published again.
  for (const serial of field.groups.flat())
    expect(field.openings.get(serial)?.size ?? 0).toBeLessThanOrEqual(1)
})

test.concurrent('a server that is killed at random moments of a rotation leaves a safe field each time, and ends the run', {
  timeout: TIMEOUT_MS,
}, async ({ expect, onTestFinished }) => {
  const field = await startKilledField(onTestFinished)
  const moments: number[] = []
  for (let kill = 0; kill < 6; kill++) {
    await field.launch()
    moments.push(Math.round(5_000 * Math.random()))
    await field.killAfter(moments.at(-1) ?? 0)
    expect({ moments, violations: field.violations }).toEqual({ moments, violations: [] })
  }
  await field.launch()
  await expect.poll(field.readRun, WAIT).toMatchObject({ state: 'done', master: 'closed' })
  await expect.poll(field.listOpen, WAIT).toEqual([])
  expect({ moments, violations: field.violations }).toEqual({ moments, violations: [] })
  const { steps } = await field.readRun()
  expect(steps.map(({ state }) => state)).toEqual(['closed', 'closed', 'closed'])
})

test.concurrent('a server that does not come back leaves valves that close by themselves', {
  timeout: TIMEOUT_MS,
}, async ({ expect, onTestFinished }) => {
  const field = await startKilledField(onTestFinished)
  await field.launch()
  await field.killAt(field.groups[0], true)
  await expect.poll(() => field.listOpen().filter((serial) => serial !== field.master), WAIT).toEqual([])
  expect(field.violations).toEqual([])
  expect((await field.readRun()).state).toBe('running')
  await field.launch()
  await expect.poll(field.readRun, WAIT).toMatchObject({ state: 'done', master: 'closed' })
  expect(field.violations).toEqual([])
})
