import type { SensorPart } from '@isotherm/contract/irrigation'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import { type Candidate, listCandidates } from '../storage/sources.pg.ts'
import { type HasReported, readParts } from './sensor-parts.ts'

/** A sensor that a source or a group can have, with the parts that it can be; without them: nobody has stated what it measures. */
export interface SensorCandidate extends Candidate {
  readonly parts?: SensorPart[]
}

/** Sensors in use below a node, in tree order. */
export async function listSensorCandidates(
  db: Database,
  hasReported: HasReported,
  path: string,
): Promise<readonly SensorCandidate[]> {
  const sensors = await listCandidates(db, path, 'sensor')
  const known = await readParts(
    db,
    hasReported,
    sensors.map(({ deviceId }) => deviceId),
  )
  return sensors.map((sensor) => {
    const parts = known.get(sensor.deviceId)
    return parts ? { ...sensor, parts } : sensor
  })
}
