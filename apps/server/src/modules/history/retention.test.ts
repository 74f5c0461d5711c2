import { DAY_MS } from '@isotherm/kernel/durations'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { dropExpired, toRetainedSince } from './retention.ch.ts'
import { createTestRollups } from './rollups/rollups.testkit.ts'

const NOW = Date.UTC(2026, 10, 21, 4)

test('a month is dropped when all its days are older than the retention of its level', async () => {
  const field = await createTestRollups()
  try {
    const instants = [Date.UTC(2026, 7, 1), Date.UTC(2026, 8, 22), Date.UTC(2026, 10, 1)]
    await field.insert(instants.map((ts) => [1, 12, ts, 20]))
    await field.rollups().pass()
    // 60 days earlier is 22 September: a part of September is retained, so all of it is.
    const dropped = await dropExpired(field.client, { readings: 60, hours: 90, days: 0, raw: 0 }, NOW)
    expect(dropped).toEqual([{ level: 'readings', month: 202608 }])
    const count = (table: string) =>
      field.select(z.tuple([z.coerce.number()]), `SELECT count() FROM ${table}`)
    expect(await count('readings')).toEqual([[2]])
    expect(await count('readings_hour')).toEqual([[3]])
    expect(await count('readings_day')).toEqual([[3]])
    expect(await dropExpired(field.client, { readings: 60, hours: 30, days: 30, raw: 0 }, NOW)).toHaveLength(
      4,
    )
  } finally {
    await field.close()
  }
})

test('the retention of raw frames counts from their arrival, regardless of their own timestamp', async () => {
  const field = await createTestRollups()
  try {
    const values = [Date.UTC(2026, 7, 31), NOW].map((received, seq) => ({
      node: 1,
      ts: 1,
      boot: 1,
      seq,
      part: 0,
      device: 1,
      sent: 0,
      named: '',
      bytes: 'x',
      received: new Date(received).toISOString(),
    }))
    await field.client.insert({ table: 'raw_frames', values, format: 'JSONEachRow' })
    const retention = { readings: 0, hours: 0, days: 0, raw: 60 }
    expect(await dropExpired(field.client, retention, NOW)).toEqual([{ level: 'raw', month: 202608 }])
    expect(await field.select(z.tuple([z.number()]), 'SELECT seq FROM raw_frames')).toEqual([[1]])
  } finally {
    await field.close()
  }
})

test('rollups of months with incomplete readings stay unchanged', async () => {
  const field = await createTestRollups({ retainedSince: (nowMs) => toRetainedSince(60, nowMs) })
  try {
    const old = Date.UTC(2026, 8, 5, 4)
    await field.insert([
      [1, 12, old, 20],
      [1, 12, old + 60_000, 30],
    ])
    const rollups = field.rollups()
    await rollups.pass()
    const days = () =>
      field.select(z.tuple([z.string(), z.number()]), 'SELECT toString(day), total FROM readings_day FINAL')
    expect(await days()).toEqual([['2026-09-05', 2]])
    // Two months later the readings of September are dropped; readings that are stored then are only a part.
    field.clock.advance(60 * DAY_MS)
    await dropExpired(field.client, { readings: 60, hours: 0, days: 0, raw: 0 }, field.clock.now())
    await field.insert([[1, 12, old, 20]])
    await rollups.pass()
    expect(await days()).toEqual([['2026-09-05', 2]])
  } finally {
    await field.close()
  }
})

test('with unlimited retention all readings are complete', () => {
  expect(toRetainedSince(0, NOW)).toBe(0)
  expect(toRetainedSince(60, NOW)).toBe(Date.UTC(2026, 8, 1))
})
