import { type DeviceProfile, deviceProfileInput } from '@isotherm/contract/device-profile'

export type ReadProfile =
  | { readonly kind: 'profile'; readonly profile: DeviceProfile }
  | { readonly kind: 'not-json' }
  /** `places`: where the schema refuses it, such as `bus.readings.0.metric`. */
  | { readonly kind: 'bad-profile'; readonly places: readonly string[] }

/** Maximum number of places that are named. */
const MAX_PLACES = 5

/** Reads a text as a device profile. */
export function readProfile(text: string): ReadProfile {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { kind: 'not-json' }
  }
  const parsed = deviceProfileInput.safeParse(value)
  if (parsed.success) return { kind: 'profile', profile: parsed.data }
  const places = parsed.error.issues.map(({ path }) => path.join('.') || 'JSON')
  return { kind: 'bad-profile', places: [...new Set(places)].slice(0, MAX_PLACES) }
}
