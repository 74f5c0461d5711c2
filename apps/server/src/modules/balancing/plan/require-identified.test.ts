import { toErrorText } from '@isotherm/contract/locales/error-text'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type MeasuredStation, setPlates, startMeasuredStation } from './measured-station.testkit.ts'
import { requireIdentified, toRefusalParams } from './require-identified.ts'

let server: MeasuredStation['server']
let call: MeasuredStation['call']

beforeAll(async () => {
  const station = await startMeasuredStation()
  await setPlates(station, 'DN20 Kvs6.3')
  ;({ server, call } = station)
})
afterAll(() => server.stop())

const mode = { kind: 'temperature', target: 'return' } as const
const preview = { ...mode, startAboveK: 0.5, everyHours: 6, trims: 0 }

test('a plan that loses most of the flow is refused by hand and in a dry run, and nothing is stored', async () => {
  const node = await server.nodeKey('s1')
  expect((await call('previewStrategy', { node, plan: preview })).code).toBeUndefined()
  // Valves at 50 % may open to 10 % only.
  await sql`update device set max_opening_pct = 10 where kind = 'valve'`.execute(server.db)
  const { code, text } = await call('addCampaign', { node, mode })
  expect(code).toBe('balance.not-identified')
  expect(text).toMatch(/\d m³\/h/)
  // Plates are recorded for all; the limits stop the valves. A dry run of a strategy says the same.
  expect(text).toMatch(/limits of openings \(they stop \d\/4 valves\)/)
  expect(text).not.toContain('plates')
  const dry = await call('previewStrategy', { node, plan: preview })
  expect(dry.code).toBe('balance.not-identified')
  expect(dry.text).toBe(text)
  await setPlates({ server, call }, 'motor valve')
  const unknown = await call('addCampaign', { node, mode })
  expect(unknown.text).toContain('valve plates with Kvs (missing for 4/4 valves)')
  expect(await server.db.selectFrom('campaign').select('id').execute()).toEqual([])
})

test('a refusal gives its figures with units, and what would help', () => {
  const missing = [{ kind: 'areas', missing: 3, consumers: 60 }, { kind: 'pressures' }] as const
  const params = toRefusalParams('一号站', { reason: 'flow', now: 10, expected: 8, missing })
  expect(params).toMatchObject({ node: '一号站', help: 'areas 3/60, pressures' })
  expect(String(params.now)).toMatch(/^36\.\d m³\/h$/)
  const textOf = (reason: 'room' | 'cold-rooms') =>
    toErrorText(
      'en',
      'balance.not-identified',
      toRefusalParams('S', { reason, now: 0.5, expected: 0.6, missing }),
    )
  expect(textOf('room')).toContain('a standard deviation of rooms of 0.60 K, now 0.50 K')
  expect(textOf('cold-rooms')).toContain('of 60.0 %, now 50.0 %')
})

test('a plan without a refusal may be carried out', () => {
  expect(() => requireIdentified({})).not.toThrow()
  expect(() => requireIdentified({ refusal: { node: '一号站' } })).toThrow('balance.not-identified')
})
