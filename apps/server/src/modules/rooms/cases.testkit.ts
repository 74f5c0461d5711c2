import type { roomsEndpoints } from '@isotherm/contract/endpoints/monitoring/rooms'
import { metrics } from '@isotherm/contract/metrics'
import { defaultRoomRules } from '@isotherm/contract/rooms/room-bands'
import { sql } from 'kysely'
import type { CasesOf, World } from '../../testing/endpoint-cases.testkit.ts'

const at = Date.UTC(2026, 0, 2)
const request = async ({ server }: World) => ({
  deviceId: await server.deviceId('R-b2u1'),
  requestedAt: at,
  resident: '王',
  phone: '123',
  complaint: '冷',
})

async function insertVisit({ server }: World): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into room_visit (device_id, requested_at, resident, phone, complaint, created_by)
    values (${await server.deviceId('R-b2u1')}, now(), '', '', '', 'test') returning id`.execute(server.db)
  return rows[0]?.id ?? 0
}

export const roomsCases: CasesOf<keyof typeof roomsEndpoints> = {
  getRooms: async ({ server }) => ({ nodes: [await server.nodeKey('s1')], state: 'cold', sort: 'place' }),
  getRoomRules: async ({ server }) => ({ node: await server.nodeKey('b2') }),
  async setRoomRules({ server }) {
    // The rules of other cases would need their version.
    await sql`delete from room_rules`.execute(server.db)
    return { node: await server.nodeKey('b2'), rules: defaultRoomRules, version: 0 }
  },
  async getRoomCompliance({ server }) {
    const row = {
      device: await server.deviceId('R-b2u1'),
      metric: metrics['temp.room'].id,
      hour: at / 1_000,
      total: 1,
      good: 1,
      sum_value: 17,
      min_value: 17,
      max_value: 17,
      first_value: 17,
      last_value: 17,
      min_at: at / 1_000,
      max_at: at / 1_000,
      quality: 0,
      version: '2026-01-02 00:00:00',
    }
    await server.clickhouse.insert({ table: 'readings_hour', values: [row], format: 'JSONEachRow' })
    return { nodes: [await server.nodeKey('s1')], from: '2026-01-01', to: '2026-01-07' }
  },
  async getRoomVisits(world) {
    await insertVisit(world)
    return { nodes: [await world.server.nodeKey('s1')] }
  },
  addRoomVisit: request,
  closeRoomVisit: async (world) => {
    return {
      deviceId: await world.server.deviceId('R-b2u1'),
      visit: await insertVisit(world),
      version: 1,
      result: {
        measuredAt: at,
        measuredC: 17,
        conditions: ['shut'],
        inspector: '李',
        isSigned: true,
        remark: '',
      },
    }
  },
}
