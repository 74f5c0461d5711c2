import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MAX_CHILDREN, type TelemetryMessage } from '@isotherm/contract/mqtt'
import { afterAll, beforeEach, expect, it } from 'vitest'
import { createSmall, small } from '../scenarios/small-scenario.testkit.ts'
import { openSeason, sendSeason, toSecondOfDay } from './send-season.ts'

const NOW = Date.UTC(2026, 10, 27, 6, 20)
const LAST = Date.UTC(2026, 10, 27, 6)
const scenario = createSmall()
const folder = mkdtempSync(join(tmpdir(), 'isotherm-season-'))
afterAll(() => rmSync(folder, { recursive: true }))

let path: string
let files = 0
beforeEach(() => {
  path = join(folder, `${files++}.json`)
})

const rest = async (_: number, signal: AbortSignal): Promise<void> => signal.throwIfAborted()
const open = (days: number, boot = 100) => openSeason({ path, days, boot, nowMs: NOW })

/** Sends a season through links that record, and stop after a number of messages. */
async function send(stopAfter = Number.POSITIVE_INFINITY): Promise<readonly TelemetryMessage[]> {
  const season = open(1)
  if (!season) throw new Error('nothing to send')
  const sent: TelemetryMessage[] = []
  const stopped = new AbortController()
  const toPair = (serial: string) => ({
    gateway: { serial, ownLink: undefined },
    link: {
      sendHistory: async (message: TelemetryMessage) => {
        if (serial === small.concentrator) sent.push(message)
        if (sent.length >= stopAfter) stopped.abort()
      },
    },
  })
  const pairs = [small.concentrator, small.otherConcentrator].map(toPair)
  await sendSeason(season, { scenario, pairs, now: () => NOW, signal: stopped.signal, rest })
  return sent
}

it('sends the newest hour first, in messages that the contract allows, numbered without gaps', async () => {
  const sent = await send()
  expect(sent.map(({ boot }) => boot)).toEqual(sent.map(() => 99))
  expect(sent.map(({ seq }) => seq)).toEqual(sent.map((_, index) => index))
  const instants = sent.map(({ d }) => d[0]?.ts ?? 0)
  expect(instants[0]).toBe(LAST)
  expect(instants).toEqual(instants.toSorted((one, other) => other - one))
  expect(new Set(instants).size).toBe(24)
  for (const { d } of sent) expect(d.length).toBeLessThanOrEqual(MAX_CHILDREN)
})

it('after a stop it begins again with the same messages, also later and under another boot', async () => {
  const before = await send(3)
  const season = openSeason({ path, days: 42, boot: 101, nowMs: NOW + 7_200_000 })
  expect(season?.file).toMatchObject({ boot: 99, days: 1, endMs: LAST })
  const again = await send()
  expect(again.slice(0, before.length)).toEqual(before)
  expect(again.length).toBeGreaterThan(before.length)
})

it('is sent once', async () => {
  await send()
  expect(open(42)).toBeUndefined()
})

it('is not sent for a company that runs already, or where its file is unreadable', () => {
  expect(open(0)).toBeUndefined()
  writeFileSync(path, 'no json')
  expect(open(0)).toBeUndefined()
})

it('knows the time of the day in a zone', () => {
  expect(toSecondOfDay(NOW, 'Asia/Shanghai')).toBe(14 * 3600 + 20 * 60)
  expect(toSecondOfDay(Date.UTC(2026, 10, 27, 16), 'Asia/Shanghai')).toBe(0)
})
