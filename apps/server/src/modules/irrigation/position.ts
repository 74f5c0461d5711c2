import type { IrrigationPlan } from '@isotherm/contract/irrigation'
import type { Position } from '@isotherm/irrigation/weather/sun'
import { AppError } from '../../platform/app-error.ts'
import type { StoredSource } from './storage/sources.pg.ts'

/** Position of a source: the stated one, or that of its node on the map. */
export function findPosition({
  settings: { latitude, longitude },
  place,
}: Pick<StoredSource, 'settings' | 'place'>): Position | undefined {
  if (latitude !== undefined && longitude !== undefined) return { latitude, longitude }
  return place ? { latitude: place.latitudeDeg, longitude: place.longitudeDeg } : undefined
}

/** Throws irrigation.no-position if a plan starts by the sun at a source whose position is not known: it would never run. */
export function requirePosition(
  source: Pick<StoredSource, 'settings' | 'place'>,
  plan: IrrigationPlan,
): void {
  const isBySun = plan.starts.some(({ kind }) => kind !== 'time')
  if (isBySun && !findPosition(source)) throw new AppError('irrigation.no-position')
}
