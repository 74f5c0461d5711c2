import type { savingsEndpoints } from '@isotherm/contract/endpoints/control/savings'
import { sql } from 'kysely'
import type { CasesOf } from '../../../testing/endpoint-cases.testkit.ts'
import { measureStation } from '../plan/measured-station.testkit.ts'

export const savingsCases: CasesOf<keyof typeof savingsEndpoints> = {
  async getHeatSaving({ server }) {
    await measureStation(server)
    return {
      deviceId: await server.deviceId('K-s1'),
      periods: {
        baseline: { from: '2024-11-15', to: '2025-03-15' },
        after: { from: '2025-11-15', to: '2026-03-15' },
      },
    }
  },
  async setEnergyPrice({ server }) {
    // The prices of other cases would need their version.
    await sql`delete from energy_price`.execute(server.db)
    return { node: await server.nodeKey('s1'), version: 0, yuanPerGj: 45, yuanPerKwh: 0.7 }
  },
}
