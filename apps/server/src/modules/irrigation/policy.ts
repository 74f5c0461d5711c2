import type { Caller } from '../../platform/http/call.ts'
import { listSensors } from './sensors/choose-sensors.ts'
import type { StoredSource } from './storage/sources.pg.ts'

/**
 * Whether the caller may choose any device for irrigation. Other callers only choose devices that are not used for
 * heating.
 */
export const mayControlValves = ({ permissions }: Pick<Caller, 'permissions'>): boolean =>
  permissions.has('pe-fmcontrol')

/** The devices that a source has: its valves, and the controller of its pump house. */
export const listOwnDevices = (source: StoredSource): readonly number[] => [
  ...listOwnValves(source),
  ...(source.settings.stationId === undefined ? [] : [source.settings.stationId]),
]

/** The devices of a source whose names are shown: its valves, its sensors, and the probes of its groups. */
export const listNamed = (source: StoredSource): readonly number[] => [
  ...listOwnValves(source),
  ...listSensors(source.settings).map(({ deviceId }) => deviceId),
  ...source.groups.flatMap(({ settings }) => settings.probeIds ?? []),
]

/** The valves that a source has: those of its groups, and its master valve. */
export const listOwnValves = ({ groups, settings }: StoredSource): readonly number[] => [
  ...groups.flatMap((group) => group.settings.valves.map(({ deviceId }) => deviceId)),
  ...(settings.masterId === undefined ? [] : [settings.masterId]),
]
