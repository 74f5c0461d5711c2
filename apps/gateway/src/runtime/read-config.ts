import { type GatewayConfig, gatewayConfig } from '@isotherm/contract/gateway-config'
import { z } from 'zod'

/** A configuration, and the places of the settings that this version does not know. */
export interface ReadConfig {
  readonly config: GatewayConfig
  readonly unknown: readonly string[]
}

/** Removes a setting from the JSON that was read. */
function removeAt(value: unknown, path: readonly PropertyKey[]): void {
  const [key, ...rest] = path
  if (typeof value !== 'object' || value === null || key === undefined) return
  if (rest.length === 0) Reflect.deleteProperty(value, key)
  else removeAt(Reflect.get(value, key), rest)
}

/**
 * Reads the text of a configuration. The server refuses an unknown setting when a configuration is stored. Here it is
 * ignored, because a newer server or a file for another version must not stop a gateway. Throws with the reason if the rest
 * is wrong.
 */
export function readConfig(text: string): ReadConfig {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new Error('the configuration is no JSON')
  }
  const whole = gatewayConfig.safeParse(value)
  if (whole.success) return { config: whole.data, unknown: [] }
  const unknown = whole.error.issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...issue.path, key]) : [],
  )
  for (const path of unknown) removeAt(value, path)
  const known = gatewayConfig.safeParse(value)
  if (known.success) return { config: known.data, unknown: unknown.map((path) => z.core.toDotPath(path)) }
  // An unknown setting is often the misspelt name of the one that is missing: both are named.
  const misspelt = whole.error.issues.filter(({ code }) => code === 'unrecognized_keys')
  const error = new z.ZodError([...misspelt, ...known.error.issues])
  throw new Error(`the configuration is wrong: ${z.prettifyError(error).replaceAll('\n', ' ')}`)
}

/** More names than these would hide the rest of the log. */
const MAX_NAMES = 10

export function describeUnknown(unknown: readonly string[]): string {
  const more = unknown.length > MAX_NAMES ? ` and ${unknown.length - MAX_NAMES} more` : ''
  const names = unknown.slice(0, MAX_NAMES).join(', ')
  return `the configuration has settings that this version does not know, which are ignored: ${names}${more}`
}
