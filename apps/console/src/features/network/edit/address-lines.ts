import { address as addressSchema } from '@isotherm/contract/endpoints/network/vausers'
import { heatedArea } from '@isotherm/contract/network/heated-area'

/** An address of a building, with its heated floor area if known. */
export interface AddressLine {
  readonly address: string
  /** m². */
  readonly areaM2: number | null
}

export interface AddressLines {
  readonly lines: readonly AddressLine[]
  /** Numbers of the lines that are no address, from 1. */
  readonly wrong: readonly number[]
}

/** Separates address and area: comma or tab, as spreadsheets copy them. */
const SEPARATOR = /[,，\t]/

function toArea(text: string): number | null | 'wrong' {
  if (text === '') return null
  return heatedArea.safeParse(Number(text)).data ?? 'wrong'
}

/** Reads addresses, one per line: a unit, or a unit and a household, with an area if known. Each address counts once. */
export function parseAddressLines(text: string): AddressLines {
  const lines = new Map<string, AddressLine>()
  const wrong: number[] = []
  for (const [index, line] of text.split(/\r\n|\r|\n/).entries()) {
    if (line.trim() === '') continue
    const [address = '', area = '', ...rest] = line.split(SEPARATOR).map((cell) => cell.trim())
    const areaM2 = toArea(area)
    const isWrong = areaM2 === 'wrong' || rest.some((cell) => cell !== '')
    if (isWrong || !addressSchema.safeParse(address).success) wrong.push(index + 1)
    else lines.set(address, { address, areaM2 })
  }
  return { lines: [...lines.values()], wrong }
}

export const toAddressText = (lines: readonly AddressLine[]): string =>
  lines.map(({ address, areaM2 }) => (areaM2 === null ? address : `${address}, ${areaM2}`)).join('\n')

/** Areas that differ from the stored ones; null removes an area. Removed addresses need no change. */
export function listAreaChanges(
  lines: readonly AddressLine[],
  stored: readonly { readonly address: string; readonly areaM2: number }[],
): readonly AddressLine[] {
  const before = new Map(stored.map(({ address, areaM2 }) => [address, areaM2]))
  return lines.filter(({ address, areaM2 }) => (before.get(address) ?? null) !== areaM2)
}

/** Addresses of a regular building: units 1 to n, each with its households floor by floor (301 is the first on floor 3). */
export function generateAddresses(
  building: { readonly units: number; readonly floors: number; readonly households: number },
  toUnitName: (unit: number) => string,
): readonly string[] {
  const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1)
  return numbers(building.units).flatMap((unit) =>
    numbers(building.floors).flatMap((floor) =>
      numbers(building.households).map(
        (household) => `${toUnitName(unit)}-${floor}${String(household).padStart(2, '0')}`,
      ),
    ),
  )
}
