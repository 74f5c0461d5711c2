import { isDeepStrictEqual } from 'node:util'
import type { FieldDevice, FieldLine, GatewayConfig } from '@isotherm/contract/gateway-config'

/** Changes that are named; the others are counted. */
const MAX_NAMED = 20

/** Fields whose values differ. Values are not named: some are secrets. */
function listFields<Part extends object>(before: Part, after: Part): readonly string[] {
  const [was, is]: readonly Map<string, unknown>[] = [before, after].map(
    (part) => new Map(Object.entries(part)),
  )
  const names = new Set([...(was?.keys() ?? []), ...(is?.keys() ?? [])])
  return [...names].filter((name) => !isDeepStrictEqual(was?.get(name), is?.get(name)))
}

/** What was added (+), removed (−) and changed among named parts. */
function compare<Part extends object>(
  before: readonly Part[],
  after: readonly Part[],
  toName: (part: Part) => string,
  describe: (name: string, was: Part, is: Part) => string,
): readonly string[] {
  const was = new Map(before.map((part) => [toName(part), part]))
  const is = new Map(after.map((part) => [toName(part), part]))
  const added = [...is.keys()].flatMap((name) => (was.has(name) ? [] : [`+${name}`]))
  const removed = [...was.keys()].flatMap((name) => (is.has(name) ? [] : [`−${name}`]))
  const changed = [...is].flatMap(([name, part]) => {
    const former = was.get(name)
    return former === undefined || isDeepStrictEqual(former, part) ? [] : [describe(name, former, part)]
  })
  return [...added, ...removed, ...changed]
}

const limit = (parts: readonly string[]): readonly string[] =>
  parts.length <= MAX_NAMED ? parts : [...parts.slice(0, MAX_NAMED), `… +${parts.length - MAX_NAMED}`]

const describeDevice = (name: string, was: FieldDevice, is: FieldDevice): string =>
  `${name} (${listFields(was, is).join(', ')})`

function describeLine(name: string, was: FieldLine, is: FieldLine): string {
  const fields = listFields(was, is).filter((field) => field !== 'devices')
  const devices = compare<FieldDevice>(was.devices, is.devices, ({ serial }) => serial, describeDevice)
  return `${name}: ${limit([...fields, ...devices]).join(', ')}`
}

/**
 * What a change of a configuration changes, for the operation log: names of fields, lines and devices in the words of the
 * document, without values. The console shows the fields in the language of the user (`toConfigChangeText`). `+` is added, `−` removed.
 */
export function describeChange(before: GatewayConfig | null, after: GatewayConfig): string {
  const { lines, profiles, ...rest } = before ?? { lines: [], profiles: [] }
  const { lines: newLines, profiles: newProfiles, ...newRest } = after
  const fields = before === null ? [] : listFields(rest, newRest)
  const byLine = compare<FieldLine>(lines, newLines, ({ id }) => id, describeLine)
  const byProfile = compare(
    profiles,
    newProfiles,
    ({ id }) => `profile ${id}`,
    (name) => name,
  )
  return limit([...fields, ...byLine, ...byProfile]).join('; ')
}
