import { sql } from 'kysely'
import { afterEach, expect, test } from 'vitest'
import { useSourceOfTwoGroups } from '../irrigation-runs.testkit.ts'

const field = useSourceOfTwoGroups()
const { openValves, addProgram, lastRun } = field

/** Sets up valves of the concentrator as devices of LoRaWAN. */
async function setUpRadio(
  devices: readonly { readonly serial: string; readonly listens?: string }[],
): Promise<void> {
  const { db } = field.bench
  const gateway = await db
    .selectFrom('device')
    .select(['id', 'company_id'])
    .where('serial', '=', 'C1')
    .executeTakeFirstOrThrow()
  const config = JSON.stringify({ v: 1, lines: [{ driver: 'chirpstack-mqtt', id: 'A1', devices }] })
  await sql`insert into gateway_config (company_id, device_id, config, line_count, device_count)
    values (${gateway.company_id}, ${gateway.id}, ${config}::jsonb, 1, ${devices.length})`.execute(db)
}
afterEach(() => sql`delete from gateway_config`.execute(field.bench.db))

test('valves of class A are left out with this reason, and those of class C water', async () => {
  await setUpRadio([
    { serial: 'C1V1', listens: 'after-report' },
    { serial: 'C1V2', listens: 'after-report' },
    { serial: 'C1V3', listens: 'after-report' },
    { serial: 'C1V4', listens: 'always' },
  ])
  await addProgram()
  // The second group begins after three minutes.
  await field.bench.pass(200)
  expect(openValves()).toEqual(['C1V4'])
  await field.bench.pass(100)
  const run = await lastRun()
  expect(run?.steps.map(({ state, finding }) => [state, finding])).toEqual([
    ['skipped', 'asleep'],
    ['closed', 'part-refused'],
  ])
  const source = await field.now()
  expect(source.missed.map(({ reason }) => reason)).toEqual(['asleep', 'part-refused'])
})

test('valves whose class nobody stated water', async () => {
  await setUpRadio([{ serial: 'C1V1' }, { serial: 'C1V2' }, { serial: 'C1V3' }, { serial: 'C1V4' }])
  await addProgram()
  await field.bench.pass(300)
  const run = await lastRun()
  expect(run?.steps.map(({ state, finding }) => [state, finding])).toEqual([
    ['closed', undefined],
    ['closed', undefined],
  ])
})
