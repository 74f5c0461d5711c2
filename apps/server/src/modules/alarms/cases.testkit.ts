import { alarmKinds } from '@isotherm/contract/alarms/alarm-kinds'
import type { alarmRulesEndpoints } from '@isotherm/contract/endpoints/monitoring/alarm-rules'
import type { alarmsEndpoints } from '@isotherm/contract/endpoints/monitoring/alarms'
import { HOUR_MS } from '@isotherm/kernel/durations'
import { sql } from 'kysely'
import { z } from 'zod'
import type { CasesOf, World } from '../../testing/endpoint-cases.testkit.ts'

const entity = z.object({ id: z.number(), version: z.number() })

/** Raises an alarm at a room of the first station; ends an earlier one of its kind first. */
async function raiseAlarm({ server }: World) {
  const deviceId = await server.deviceId('R-b2u1')
  await sql`
    update alarm set state = 'ended'
    where device_id = ${deviceId} and kind = 'room-cold' and state <> 'ended'`.execute(server.db)
  const added = await sql<{ id: number; version: number }>`
    insert into alarm (company_id, kind, severity, device_id, path, value, raised_at)
    select device.company_id, 'room-cold', 'minor', device.id, node.path || 'd' || device.id || '/', 15, now()
    from device join node on node.id = device.node_id where device.id = ${deviceId}
    returning id, version`.execute(server.db)
  const [alarm] = added.rows
  if (!alarm) throw new Error('no alarm was raised')
  await sql`insert into alarm_event (alarm_id, at, event) values (${alarm.id}, now(), 'raised')`.execute(
    server.db,
  )
  return alarm
}

const settings = { ...alarmKinds['room-cold'].standard, raiseAt: 17, clearAt: 17.5 }
const toRule = async ({ server }: World) => ({
  kind: 'room-cold',
  node: await server.nodeKey('s1'),
  deviceKinds: ['room-sensor'],
  ...settings,
})
const toSilence = async ({ server }: World) => ({
  node: await server.nodeKey('s1'),
  until: Date.now() + HOUR_MS,
  reason: '检修',
})
/** A company has few targets: deletes the oldest ones of earlier cases. */
async function toTarget(world: World) {
  await sql`
    delete from alarm_target where id in (select id from alarm_target order by id desc offset 10)`.execute(
    world.server.db,
  )
  return {
    node: await world.server.nodeKey('s1'),
    name: world.unique('target'),
    url: 'http://192.0.2.1/alarms',
    secret: 'a secret of the tests only',
    // The test must not send anything.
    enabled: false,
  }
}

const addRule = async (world: World) => entity.parse(await world.callOk('addAlarmRule', await toRule(world)))
const addSilence = async (world: World) =>
  entity.parse(await world.callOk('addAlarmSilence', await toSilence(world)))
const addTarget = async (world: World) =>
  entity.parse(await world.callOk('addAlarmTarget', await toTarget(world)))

const limiter = { page: 1, size: 100 }
const selection = async ({ server }: World) => ({ nodes: [await server.nodeKey('s1')], filter: [] })
const page = async (world: World) => ({ ...(await selection(world)), limiter })

export const alarmsCases: CasesOf<keyof typeof alarmsEndpoints | keyof typeof alarmRulesEndpoints> = {
  async getAlarms(world) {
    await raiseAlarm(world)
    return page(world)
  },
  countAlarms: async ({ server }) => ({ nodes: [await server.nodeKey('s1')] }),
  async editAlarm(world) {
    return { ...(await raiseAlarm(world)), acknowledge: true, comment: world.unique('comment') }
  },
  async editAlarms(world) {
    await raiseAlarm(world)
    return { ...(await selection(world)), acknowledge: true }
  },
  async getAlarmLog(world) {
    const { id } = await raiseAlarm(world)
    return { ...(await page(world)), alarmId: id }
  },
  async exportAlarmLog(world) {
    const { id } = await raiseAlarm(world)
    return { ...(await selection(world)), alarmId: id }
  },
  async getAlarmRules(world) {
    await addRule(world)
    return page(world)
  },
  addAlarmRule: toRule,
  async editAlarmRule(world) {
    const { id, version } = await addRule(world)
    return { id, version, deviceKinds: [], ...settings, severity: 'major' }
  },
  async deleteAlarmRules(world) {
    return { items: [await addRule(world)] }
  },
  getAlarmAbilities: async ({ server }) => ({ node: await server.nodeKey('s1') }),
  async getAlarmSilences(world) {
    await addSilence(world)
    return { nodes: [await world.server.nodeKey('s1')], limiter }
  },
  addAlarmSilence: toSilence,
  endAlarmSilence: addSilence,
  async getAlarmTargets(world) {
    await addTarget(world)
    return { nodes: [await world.server.nodeKey('s1')], limiter }
  },
  addAlarmTarget: toTarget,
  async editAlarmTarget(world) {
    const { node: _, secret: _secret, ...target } = await toTarget(world)
    const { id, version } = await addTarget(world)
    return { ...target, id, version }
  },
  async getAlarmDeliveries(world) {
    const { id } = await addTarget(world)
    return { id }
  },
  async testAlarmTarget(world) {
    const { id } = await addTarget(world)
    // The address is closed or forbidden; both fail at once.
    await sql`update alarm_target set url = 'http://127.0.0.1:9/' where id = ${id}`.execute(world.server.db)
    return { id }
  },
  async deleteAlarmTargets(world) {
    return { items: [await addTarget(world)] }
  },
}
