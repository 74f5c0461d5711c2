import type { FieldLine, GatewayConfig } from '../gateway-config.ts'

/**
 * Takes the place of a secret that people must not see. Saving it leaves the stored secret as it is. It has the form
 * of every secret of a configuration, so that a configuration with hidden secrets is still valid.
 */
export const HIDDEN_SECRET = 'SecretUnchanged0'

/** Names of the fields of a configuration that are secrets. */
export const secretNames = [
  'password',
  'pushToken',
  'appSecret',
  'masterKey',
  'accessKey',
  'secretKey',
  'aesKey',
] as const

type Part = Readonly<Record<string, unknown>>

/** A copy of which every secret is replaced. */
function replace(of: Part, toSecret: (name: string, value: string) => string): Part {
  const copy: Record<string, unknown> = { ...of }
  for (const name of secretNames) {
    const value = of[name]
    if (typeof value === 'string') copy[name] = toSecret(name, value)
  }
  return copy
}

/** The parts of a line that have secrets: itself and its platform. */
const listParts = (line: FieldLine): readonly Part[] =>
  line.driver === 'northbound-http' ? [line, line.platform] : [line]

/** A line with its secrets replaced; `part` is 0 for the line, 1 for its platform. */
function replaceInLine(
  line: FieldLine,
  toSecret: (part: number, name: string, value: string) => string,
): Part {
  const whole = replace(line, (name, value) => toSecret(0, name, value))
  if (line.driver !== 'northbound-http') return whole
  return { ...whole, platform: replace(line.platform, (name, value) => toSecret(1, name, value)) }
}

const isHidden = (line: FieldLine): boolean =>
  listParts(line).some((part) => secretNames.some((name) => part[name] === HIDDEN_SECRET))

/** Where the secrets of a line are used. */
const addressOf = (line: FieldLine): unknown => listParts(line).find(({ url }) => url !== undefined)?.url

/** A configuration for people: each secret is hidden. Its form is that of a configuration; parse it. */
export const hideSecrets = ({ lines, ...rest }: GatewayConfig): unknown => ({
  ...rest,
  lines: lines.map((line) => replaceInLine(line, () => HIDDEN_SECRET)),
})

/**
 * A configuration with the stored secrets in place of hidden ones; parse it. A line with a hidden secret must be stored under its id with
 * the same driver and address: a secret never goes to another address than the one for which it was set. `missing`: ids of the
 * lines for which there is none.
 */
export function restoreSecrets(
  { lines, ...rest }: GatewayConfig,
  stored: GatewayConfig | null,
): { readonly config: unknown; readonly missing: readonly string[] } {
  const byId = new Map(stored?.lines.map((line) => [line.id, line]))
  const missing: string[] = []
  const restored = lines.map((line) => {
    if (!isHidden(line)) return line
    const known = byId.get(line.id)
    const isSame = known !== undefined && known.driver === line.driver && addressOf(known) === addressOf(line)
    if (!isSame) {
      missing.push(line.id)
      return line
    }
    const parts = listParts(known)
    return replaceInLine(line, (part, name, value) => {
      const secret = value === HIDDEN_SECRET ? parts[part]?.[name] : value
      if (typeof secret === 'string') return secret
      missing.push(line.id)
      return value
    })
  })
  return { config: { ...rest, lines: restored }, missing }
}
