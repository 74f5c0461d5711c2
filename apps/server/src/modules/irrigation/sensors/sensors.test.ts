import type { IrrigationSourceSettings } from '@isotherm/contract/irrigation'
import { sql } from 'kysely'
import { afterEach, expect, test } from 'vitest'
import type { Scope } from '../../../platform/scope/scope.ts'
import { toNodeKey } from '../../network/index.ts'
import { sourceSettings } from '../irrigation-runs.testkit.ts'
import { lockSource } from '../storage/sources.pg.ts'
import { guardSensors, listUses, listWeatherStations } from './attached.pg.ts'
import { useSourceWithSensors } from './sensors.testkit.ts'

const field = useSourceWithSensors()
const { idOf, attach, changeGroup, toItem, now, listFaultNames } = field
/** Rights of somebody who sees no device. */
const nothing: Scope = { kind: 'paths', paths: [] }
afterEach(async () => {
  const { db } = field.bench
  await db.updateTable('device').set({ retired_at: null, replaced_by_id: null }).execute()
  await db.deleteFrom('device').where('serial', 'in', ['F1B', 'M1B']).execute()
})

test('the flow meter of a source finds its leak, although the controller measures nothing', async () => {
  await attach({ stationId: field.bench.stationId, meterId: idOf('F1') })
  Object.assign(field.bench.house, { isMeterDead: true, leakM3H: 2 })
  await field.bench.pass(120)
  expect(await listFaultNames()).toContain('irrigation-leak')
  expect(await now()).toMatchObject({ flowM3H: 2, leak: { flowM3H: 2 } })
})

test('only a sensor in use, below the node and within the rights of the caller, is attached', async () => {
  const refused = async (change: Partial<IrrigationSourceSettings>, code: string) =>
    expect(attach(change)).rejects.toMatchObject({ code })
  await refused({ meterId: idOf('C1V1') }, 'device.not-controllable')
  await refused({ rainId: field.bench.stationId }, 'device.not-controllable')
  await refused({ rainId: idOf('X1') }, 'device.not-found')
  await refused({ rainId: 987_654_321 }, 'device.not-found')
  const { caller, operation } = field.bench.call()
  const blind = { caller: { ...caller, scope: nothing }, operation }
  await expect(
    field.bench.settings.setSource(blind, {
      node: (await now()).node,
      settings: { ...sourceSettings, rainId: idOf('R1') },
    }),
  ).rejects.toMatchObject({ code: 'device.not-found' })
  await field.bench.registry.changeOne(field.bench.call(), await toItem('R1'), { use: 'retired' })
  await refused({ rainId: idOf('R1') }, 'device.retired')
  await expect(changeGroup({ probeIds: [idOf('X1')] })).rejects.toMatchObject({ code: 'device.not-found' })
  await expect(changeGroup({ probeIds: [idOf('M1'), idOf('M1')] })).rejects.toMatchObject({
    code: 'request.malformed',
  })
  expect((await now()).sensors.map(({ deviceName }) => deviceName)).toEqual(['F1', 'K1', 'M1', 'M2'])
})

test('an attached sensor is neither retired, removed nor moved away; one that is detached is', async () => {
  await attach({ meterId: idOf('F1') })
  await changeGroup({ probeIds: [idOf('M1')] })
  const { registry, db, call } = field.bench
  const nodes = await db.selectFrom('node').select(['id', 'level', 'uuid', 'address']).execute()
  const nodeAt = (level: number) => {
    const node = nodes.find((one) => one.level === level)
    if (!node) throw new Error(`no node of level ${level}`)
    return toNodeKey(node)
  }
  for (const serial of ['F1', 'M1']) {
    const item = await toItem(serial)
    const attached = { code: 'irrigation.sensor-attached', params: { device: serial } }
    await expect(registry.changeOne(call(), item, { use: 'retired' })).rejects.toMatchObject(attached)
    await expect(registry.changeOne(call(), item, { node: nodeAt(3) })).rejects.toMatchObject(attached)
    await expect(registry.remove(call(), [item], async () => undefined)).rejects.toMatchObject(attached)
  }
  await registry.changeOne(call(), await toItem('F1'), { node: nodeAt(6) })
  await registry.changeOne(call(), await toItem('F1'), { node: nodeAt(4) })
  await attach({})
  await registry.changeOne(call(), await toItem('F1'), { use: 'retired' })
})

test('the device that replaces a sensor takes its place', async () => {
  await attach({ meterId: idOf('F1'), rainId: idOf('F1'), inletId: idOf('K1') })
  await changeGroup({ probeIds: [idOf('M2'), idOf('M1')] })
  const { registry, call } = field.bench
  const { device: meter } = await registry.replace(call(), { ...(await toItem('F1')), imei: 'F1B' })
  const { device: probe } = await registry.replace(call(), { ...(await toItem('M1')), imei: 'M1B' })
  const source = await now()
  expect(source).toMatchObject({ meterId: meter.id, rainId: meter.id, inletId: idOf('K1') })
  expect(source.groups[0]?.probeIds).toEqual([idOf('M2'), probe.id])
})

test('a leak and a dry pump are timed anew after another device measures', async () => {
  const { db, registry, call } = field.bench
  const leak = { leak_since_ms: 1_000, leak_seen_ms: 1_500 }
  const dry = { dry_since_ms: 2_000, dry_seen_ms: 2_500 }
  const low = { low_since_ms: 3_000, low_seen_ms: 3_500 }
  const all = { ...leak, ...dry, ...low }
  const noLeak = { leak_since_ms: null, leak_seen_ms: null }
  const notDry = { dry_since_ms: null, dry_seen_ms: null }
  const notLow = { low_since_ms: null, low_seen_ms: null }
  const note = () => db.updateTable('irrigation_source').set(all).execute()
  const read = () =>
    db
      .selectFrom('irrigation_source')
      .select(['leak_since_ms', 'leak_seen_ms', 'dry_since_ms', 'dry_seen_ms', 'low_since_ms', 'low_seen_ms'])
      .executeTakeFirstOrThrow()
  const settings = { stationId: field.bench.stationId, meterId: idOf('F1'), inletId: idOf('K1') }
  await attach(settings)
  await note()
  await attach({ ...settings, rainId: idOf('R1'), leakS: 90 })
  expect(await read()).toEqual(all)
  await attach({ ...settings, meterId: idOf('M1') })
  expect(await read()).toEqual({ ...noLeak, ...notDry, ...low })
  await note()
  await attach({ ...settings, meterId: idOf('M1'), inletId: idOf('M2') })
  expect(await read()).toEqual({ ...all, ...notLow })
  await attach(settings)
  await note()
  await registry.replace(call(), { ...(await toItem('F1')), imei: 'F1B' })
  expect(await read()).toEqual({ ...noLeak, ...notDry, ...notLow })
})

test('changes of many devices or of the tree take no sensor away, and saving a source names one that is away', async () => {
  await attach({ meterId: idOf('F1') })
  await changeGroup({ probeIds: [idOf('M1')] })
  const { db } = field.bench
  const upper = await db.selectFrom('node').select('id').where('level', '=', 3).executeTakeFirstOrThrow()
  const home = await db
    .selectFrom('device')
    .select('node_id')
    .where('serial', '=', 'F1')
    .executeTakeFirstOrThrow()
  const place = (transaction: typeof db, serial: string, node_id: number) =>
    transaction.updateTable('device').set({ node_id }).where('serial', '=', serial).execute()
  /** Takes a sensor away as a workbook or a move in the tree does. */
  const take = (serial: string) =>
    db.transaction().execute(async (transaction) => {
      const requireInPlace = await guardSensors(transaction)
      await place(transaction, serial, upper.id)
      await requireInPlace()
    })
  for (const serial of ['F1', 'M1'])
    await expect(take(serial)).rejects.toMatchObject({
      code: 'irrigation.sensor-attached',
      params: { device: serial, source: sourceSettings.name },
    })
  await take('M2')
  // One that was away before keeps nobody from other changes.
  await place(db, 'F1', upper.id)
  await take('K1')
  const elsewhere = { code: 'irrigation.sensor-elsewhere', params: { device: 'F1' } }
  await expect(attach({ meterId: idOf('F1'), leakS: 90 })).rejects.toMatchObject(elsewhere)
  await attach({})
  await place(db, 'M1', upper.id)
  const probe = { code: 'irrigation.sensor-elsewhere', params: { device: 'M1' } }
  await expect(changeGroup({ probeIds: [idOf('M1')] })).rejects.toMatchObject(probe)
  for (const serial of ['F1', 'M1', 'M2', 'K1']) await place(db, serial, home.node_id)
})

/** Waits until so many transactions wait for a lock of another one. */
const haveToWait = (count: number) =>
  expect
    .poll(
      async () => {
        const { rows } = await sql`
          select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
          field.bench.db,
        )
        return rows.length
      },
      { timeout: 20_000 },
    )
    .toBe(count)

test('a sensor that is being retired is not attached', async () => {
  const { registry, call } = field.bench
  const retired = Promise.withResolvers<void>()
  const isRetiring = Promise.withResolvers<void>()
  const unlisten = registry.onRetiring(async () => {
    isRetiring.resolve()
    await retired.promise
  })
  const retiring = registry.changeOne(call(), await toItem('F1'), { use: 'retired' })
  await isRetiring.promise
  const attaching = attach({ meterId: idOf('F1') })
  const refused = expect(attaching).rejects.toMatchObject({ code: 'device.retired' })
  await haveToWait(1)
  retired.resolve()
  await retiring
  unlisten()
  await refused
  await expect(changeGroup({ probeIds: [idOf('F1')] })).rejects.toMatchObject({ code: 'device.retired' })
})

test('a sensor that is being attached is not retired', async () => {
  const { db, registry, call } = field.bench
  const item = await toItem('F1')
  const locked = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  const holding = db.transaction().execute(async (transaction) => {
    await lockSource(transaction, field.source.id)
    locked.resolve()
    await release.promise
  })
  await locked.promise
  const attaching = attach({ meterId: idOf('F1') })
  await haveToWait(1)
  const retiring = registry.changeOne(call(), item, { use: 'retired' })
  const refused = expect(retiring).rejects.toMatchObject({
    code: 'irrigation.sensor-attached',
    params: { device: 'F1', source: sourceSettings.name },
  })
  // Without the lock of the attachment the retirement finds nothing attached yet, and ends here.
  await haveToWait(2)
  release.resolve()
  await holding
  await attaching
  await refused
  expect(await now()).toMatchObject({ meterId: idOf('F1') })
})

test('a call locks no device that its caller does not see: it is refused at once', async () => {
  const { db, call, settings } = field.bench
  const { id, node, version } = await now()
  const { caller, operation } = call()
  const blind = { caller: { ...caller, scope: nothing }, operation }
  const isLocked = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  const holding = db.transaction().execute(async (transaction) => {
    await sql`select from company for no key update`.execute(transaction)
    await sql`select from device where id = ${idOf('F1')} for update`.execute(transaction)
    isLocked.resolve()
    await release.promise
  })
  await isLocked.promise
  const given = { node, settings: { ...sourceSettings, meterId: idOf('F1') } }
  let outcome: unknown
  const attempt = settings.setSource(blind, given).catch((error: unknown) => {
    outcome = error
  })
  try {
    // With a lock it waits until the transaction above ends.
    await expect.poll(() => outcome, { timeout: 10_000 }).toMatchObject({ code: 'device.not-found' })
  } finally {
    release.resolve()
    await Promise.all([holding, attempt])
  }
  expect(await now()).toMatchObject({ id, version })
  const { path } = await db.selectFrom('node').select('path').where('level', '=', 4).executeTakeFirstOrThrow()
  const granted = { caller: { ...caller, scope: { kind: 'paths' as const, paths: [path] } }, operation }
  await settings.setSource(granted, { ...given, id, version })
  expect(await now()).toMatchObject({ meterId: idOf('F1') })
})

test('a sensor whose part of the tree is being moved away is not attached', async () => {
  const { db, registry, source, call } = field.bench
  const nodes = await db.selectFrom('node').select(['id', 'level', 'path', 'uuid', 'address']).execute()
  const [below] = nodes.filter(({ level }) => level === 6)
  if (!below) throw new Error('no node of level 6')
  await registry.changeOne(call(), await toItem('F1'), { node: toNodeKey(below) })
  const isMoved = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  // As the editors of the tree do: they lock the company, move, and look whether an attached sensor was taken away.
  const moving = db.transaction().execute(async (transaction) => {
    await sql`select from company for no key update`.execute(transaction)
    const requireInPlace = await guardSensors(transaction)
    await sql`update node set path = '/999999' || path where id = ${below.id}`.execute(transaction)
    isMoved.resolve()
    await release.promise
    await requireInPlace()
  })
  await isMoved.promise
  const attaching = attach({ meterId: idOf('F1') })
  const refused = expect(attaching).rejects.toMatchObject({ code: 'device.not-found' })
  await haveToWait(1)
  release.resolve()
  await moving
  await refused
  expect((await source(field.source.id)).meterId).toBeUndefined()
  await db.updateTable('node').set({ path: below.path }).where('id', '=', below.id).execute()
  await registry.changeOne(call(), await toItem('F1'), { node: (await now()).node })
})

test('meters, pressure sensors and probes are no weather stations, a rain sensor is', async () => {
  const { db, stationId } = field.bench
  const list = async () =>
    (
      await listWeatherStations(db, field.bench.runner.findReading, [
        ...['F1', 'K1', 'R1', 'M1', 'M2'].map(idOf),
        stationId,
      ])
    ).toSorted((one, other) => one - other)
  const toSorted = (ids: readonly number[]) => ids.toSorted((one, other) => one - other)
  await attach({ stationId, meterId: idOf('F1'), inletId: idOf('K1'), rainId: idOf('R1') })
  await changeGroup({ probeIds: [idOf('M1')] })
  expect(await list()).toEqual(toSorted([idOf('R1'), idOf('M2'), stationId]))
  // One device can be the rain sensor and a probe.
  await changeGroup({ probeIds: [idOf('R1')] })
  expect(await list()).toEqual(toSorted([idOf('R1'), idOf('M1'), idOf('M2'), stationId]))
  // A weather station with a soil probe stays one, a probe or a meter with a temperature does not.
  await changeGroup({ probeIds: [idOf('M1'), idOf('M2')] })
  for (const serial of ['F1', 'M1', 'M2']) field.bench.note(serial, 'temp.outdoor', 20)
  field.bench.note('M2', 'humidity.outdoor', 60)
  expect(await list()).toEqual(toSorted([idOf('R1'), idOf('M2'), stationId]))
  // A part that names no device, as an older release stored it, hides none of the others.
  await sql`update irrigation_source set settings = settings || '{"outletId": null}'`.execute(db)
  expect(await list()).toEqual(toSorted([idOf('R1'), idOf('M2'), stationId]))
})

test('the page of a device says what it serves, as far as the sources are granted', async () => {
  await attach({ stationId: field.bench.stationId, meterId: idOf('F1'), rainId: idOf('F1') })
  await changeGroup({ probeIds: [idOf('M1')] })
  const { db, irrigation, call } = field.bench
  const usesOf = (serial: string) => irrigation.listUses(call().caller, { deviceId: idOf(serial) })
  const of = { sourceName: sourceSettings.name, nestaddr: (await now()).nestaddr }
  expect(await usesOf('F1')).toEqual([
    { part: 'meter', ...of },
    { part: 'rain', ...of },
  ])
  expect(await usesOf('M1')).toEqual([{ part: 'probe', groupName: '一组', ...of }])
  expect(await usesOf('C1V1')).toEqual([{ part: 'valve', groupName: '一组', ...of }])
  expect(await usesOf('M2')).toEqual([])
  expect(await listUses(db, nothing, idOf('F1'))).toEqual([])
})
