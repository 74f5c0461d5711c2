import { parseHex } from '@isotherm/codecs/bytes/hex'
import type { DeviceProfile } from '@isotherm/contract/device-profile'
import { type DeviceKind, deviceKind } from '@isotherm/contract/devices'
import type { DeviceGuess } from '@isotherm/contract/endpoints/devices/unregistered-devices'
import type { FieldLine } from '@isotherm/contract/gateway-config'
import { isMetricName, isReportedBy, type MetricName } from '@isotherm/contract/metrics'
import type { UnregisteredContent } from '@isotherm/contract/mqtt'
import { decodeByProfile, decodeProperties, type ProfileOutcome } from './decode-by-profile.ts'
import { fitsLine } from './resolve-gateway-config.ts'

/** Values by metric. */
export type UnregisteredValues = readonly { readonly metric: MetricName; readonly value: number }[]

/** A guess and the values on which it is based. `address`: the device's address as its own frame has it. */
export interface Guessed {
  readonly guess: DeviceGuess | undefined
  readonly values: UnregisteredValues
  readonly address: string | undefined
}

const nothing: Guessed = { guess: undefined, values: [], address: undefined }

/** Kinds of device whose metrics include all of these. */
const listKinds = (names: readonly MetricName[]): readonly DeviceKind[] =>
  deviceKind.options.filter((kind) => names.every((name) => isReportedBy(name, kind)))

/**
 * Guesses a device from its metrics: the only kind that may report them all. Undefined if there are several such
 * kinds. Unknown metrics are ignored.
 */
export function guessByMetrics(given: Readonly<Record<string, number>>): Guessed {
  const values = Object.entries(given).flatMap(([metric, value]) =>
    isMetricName(metric) ? [{ metric, value }] : [],
  )
  if (values.length === 0) return nothing
  const [kind, other] = listKinds(values.map(({ metric }) => metric))
  const isOne = kind !== undefined && other === undefined
  const guess = isOne
    ? ({ kind, reason: 'only-kind', found: values.length, of: values.length } as const)
    : undefined
  return { guess, values, address: undefined }
}

function read(profile: DeviceProfile, { hex, port, p }: UnregisteredContent): ProfileOutcome | undefined {
  if (profile.bus.driver === 'properties') return p && decodeProperties(profile, new Map(Object.entries(p)))
  // A reply of Modbus does not say which registers it has.
  const bytes = profile.bus.driver === 'modbus' ? undefined : parseHex(hex ?? '')
  return bytes && decodeByProfile(profile, bytes, port === undefined ? {} : { port })
}

/** The guess that one profile gives; undefined if it reads nothing good. */
function readBy(profile: DeviceProfile, content: UnregisteredContent): Guessed | undefined {
  const outcome = read(profile, content)
  if (outcome?.kind !== 'readings') return undefined
  // Bytes that are something else decode into values that no sensor shows.
  const good = outcome.readings.filter(({ quality }) => quality === 0)
  if (good.length === 0) return undefined
  return {
    guess: {
      kind: profile.kind,
      reason: 'best-profile',
      profile: profile.id,
      found: good.length,
      of: outcome.readings.length + outcome.missing.length,
    },
    values: good.map(({ metric, value }) => ({ metric, value })),
    address: outcome.address === '' ? undefined : outcome.address,
  }
}

const foundBy = ({ guess }: Guessed): number => guess?.found ?? 0
const missedBy = ({ guess }: Guessed): number => (guess ? guess.of - guess.found : 0)

/**
 * Guesses a device from its content by all profiles that fit its line. The profile that reads most values wins; of
 * two equal ones, the one with fewer missing readings. `driver`: driver of the line; undefined if it is not known.
 */
export function guessByProfiles(
  content: UnregisteredContent,
  driver: FieldLine['driver'] | undefined,
  profiles: readonly DeviceProfile[],
): Guessed {
  const guesses = profiles.flatMap((profile) =>
    driver === undefined || fitsLine(profile, driver) ? (readBy(profile, content) ?? []) : [],
  )
  const [best] = guesses.sort((a, b) => foundBy(b) - foundBy(a) || missedBy(a) - missedBy(b))
  return best ?? nothing
}
