import type { SensorPart } from '@isotherm/contract/irrigation'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import { readProfileMetrics } from '../../devices/index.ts'
import { type Candidate, listCandidates } from '../storage/sources.pg.ts'
import { toParts } from './sensor-parts.ts'

/** A sensor that a source or a group can have, with the parts that it can be; without them: nobody has stated what it measures. */
export interface SensorCandidate extends Candidate {
  readonly parts?: SensorPart[]
}

/** Sensors in use below a node, in tree order. */
export async function listSensorCandidates(db: Database, path: string): Promise<readonly SensorCandidate[]> {
  const sensors = await listCandidates(db, path, 'sensor')
  const metrics = await readProfileMetrics(
    db,
    sensors.map(({ deviceId }) => deviceId),
  )
  return sensors.map((sensor) => {
    const known = metrics.get(sensor.deviceId)
    return known ? { ...sensor, parts: toParts(known) } : sensor
  })
}
